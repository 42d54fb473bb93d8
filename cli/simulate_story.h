/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simulate_story.h - how `simulate --explain` tells of a job: inside of its files.
 *
 * Jobs are named as --explain names them: by their number in the log, and the local jobs of a
 * cluster by CLUSTER=NUMBER.
 */
#ifndef WORKLOOM_CLI_SIMULATE_STORY_H
#define WORKLOOM_CLI_SIMULATE_STORY_H

#include "simulate.h"

enum { NAME_SIZE = 100, SPAN_SIZE = 80, MOST_LINES = 20 /* of a list, for people */ };

/* A job on one machine, or on a cluster of a grid. */
struct story {
    const struct loom_explanation *found;
    const struct loom_sim *sim;
    const struct loom_sim_job *jobs;
    const struct loom_trace *trace; /* of the command */
    const struct loom_trace *local; /* of the cluster; NULL if it has none */
    const char *cluster;            /* its name; NULL: one machine */
    bool sent;                      /* there by the grid */
    const char *name;               /* of the job */
    int64_t first_s;                /* first submission, from which --gantt counts */
    double stretch;                 /* of the times between arrivals, by --load; 0: none */
};

/* ---- text ------------------------------------------------------------------------------------ */

/* Where the text goes, and the first failure on the way. */
struct page {
    struct loom_output *out;
    struct loom_error *err;
    int rc;
};

void tell(struct page *to, const char *format, ...) LOOM_PRINTF(2, 3);
/* How many of a list of n were left out, if any. */
void tell_rest(struct page *to, size_t n);
const char *plural(int64_t n);
/* "130 s (2 min 10 s)". Returns buf. */
const char *span_text(int64_t span_s, char buf[SPAN_SIZE]);
/* Returns name. */
const char *name_job(const struct story *story, uint32_t job, char name[NAME_SIZE]);
/* "user 7". Returns name. */
const char *name_user(int32_t user, char name[NAME_SIZE]);
/* Which jobs ended, and how many processors they had; without the end of the line. */
void tell_released(const struct story *story, const uint32_t *released, size_t n, int64_t time_s,
                   struct page *to);

/* What its times count from, when it came, and how long it waited in the log that it is of. */
void tell_times(const struct story *story, const struct loom_trace *log,
                const struct loom_sim_job *job, struct page *to);
/* From its submission, or from when the grid sent it. */
void tell_story(const struct story *story, struct page *to);

/* ---- JSON ------------------------------------------------------------------------------------ */

/* All are NULL when memory is out. */
struct json_t *name_json(const struct story *story, uint32_t job); /* null for LOOM_NO_JOB */
struct json_t *user_json(int32_t user);                            /* null where unknown */
struct json_t *names_json(const struct story *story, const uint32_t *jobs, size_t n);
struct json_t *story_json(const struct story *story);
struct json_t *not_simulated_json(const char *name, const char *reason);
/* An array that misses an item for want of memory is none. */
void put_json(struct json_t **array, struct json_t *item);

/* ---- by what the policy weighed it (simulate_story_weights.c) -------------------------------- */

/* A section of its own, under a policy that weighs jobs by more than their order. */
void tell_standings(const struct story *story, struct page *to);
/* The ranks of the users of a job that overtook it and of its own, if users have any: the rest of a
 * sentence. */
void tell_ranks(const struct story *story, const struct loom_explained_start *start,
                struct page *to);
/* Null under a policy that does not weigh jobs. */
struct json_t *standing_json(const struct story *story, const struct loom_standing *at);
struct json_t *weighed_json(const struct story *story);

/* ---- a grid job (simulate_story_grid.c) ------------------------------------------------------ */

/* The whole of it; `there` is the part on its cluster, whose `found` is set even if it came to
 * none. */
void tell_grid_story(const struct simulation *of, const struct story *there, struct page *to);
struct json_t *grid_story_json(const struct simulation *of, const struct story *there);

#endif
