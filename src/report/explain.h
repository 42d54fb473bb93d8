/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * explain.h - the parts of an explanation of one job, as text and as JSON.
 *
 * Text goes to a stream in memory, whose errors are checked when it is closed. Functions that make
 * JSON return a new reference, or NULL when memory is out.
 */
#ifndef LOOM_REPORT_EXPLAIN_H
#define LOOM_REPORT_EXPLAIN_H

#include <workloom/report.h>

#include <stdio.h>

enum { LOOM_JOB_NAME = 100, LOOM_SPAN = 80, LOOM_LISTED = 20 /* lines of a list in the text */ };

/* A job on one machine, or on a cluster of a grid. */
struct loom_explained_job {
    const struct loom_explanation *found;
    const struct loom_sim *sim;
    const struct loom_sim_job *jobs;
    const struct loom_trace *trace; /* of the machine or grid */
    const struct loom_trace *local; /* of the cluster; NULL if it has no local jobs */
    const char *cluster;            /* NULL: one machine */
    bool sent;                      /* a grid job; its submission here is when it was sent */
    int64_t first_s;                /* first submission to the machine or grid */
    double arrival_factor;
    const struct loom_zone *zone; /* for text; NULL if the log has no start time */
};

/* A grid job in the queue of the grid. */
struct loom_grid_view {
    const struct loom_grid_explanation *found;
    const struct loom_sim_job *jobs; /* of the grid */
    const struct loom_grid_place *places;
    const struct loom_jobs *log;
    const struct loom_cluster *clusters;
    const struct loom_explained_job *there; /* on its cluster */
};

/* ---- names (explain.c) ----------------------------------------------------------------------- */

/* Test whether a job of the view's machine is local to a cluster. */
bool loom_explain_is_local(const struct loom_explained_job *view, const struct loom_sim_job *job);
/* Return the number of a job in its log. */
int64_t loom_explain_number(const struct loom_explained_job *view, uint32_t job);
/* Return the number of the explained job, which need not have been simulated. */
int64_t loom_explain_own_number(const struct loom_explained_job *view);
/* Format "17" or "CLUSTER=17". Returns name. */
const char *loom_explain_name(const struct loom_explained_job *view, uint32_t job,
                              char name[LOOM_JOB_NAME]);
/* Likewise for the explained job. */
const char *loom_explain_own_name(const struct loom_explained_job *view, char name[LOOM_JOB_NAME]);
/* Return why a job did not join the queue, given `refused` of its explanation. */
const char *loom_explain_refusal(const char *refused);

/* ---- text (explain_text.c) ------------------------------------------------------------------- */

/* Return the ending of a plural: "" for 1, else "s". */
const char *loom_explain_plural(int64_t n);
/* Format "130 s (2 min 10 s)". Returns buf. */
const char *loom_explain_span(int64_t span_s, char buf[LOOM_SPAN]);
/* Format "user 7". Returns name. */
const char *loom_explain_user(int32_t user, char name[LOOM_JOB_NAME]);
/* Write how many items of a list of n are left out, if any. */
void loom_explain_write_rest(FILE *out, size_t n);
/* Write " (DATE)" of a time in the log, if its start is known. */
void loom_explain_write_date(FILE *out, const struct loom_explained_job *view, int64_t time_s);
/* Write what times count from, and how long the job waited in `log`. */
void loom_explain_write_times(FILE *out, const struct loom_explained_job *view,
                              const struct loom_trace *log, const struct loom_sim_job *job);
/* Write which jobs ended at time_s and how many processors they released, without line end. */
void loom_explain_write_released(FILE *out, const struct loom_explained_job *view,
                                 const uint32_t *released, size_t n, int64_t time_s);
/* Write all about a job, from its submission or, if it was sent by the grid, from then on. */
void loom_explain_write(FILE *out, const struct loom_explained_job *view);

/* ---- JSON (explain_json.c) ------------------------------------------------------------------- */

/* Return the number of a job or "CLUSTER=17"; null for LOOM_NO_JOB. */
struct json_t *loom_explain_name_json(const struct loom_explained_job *view, uint32_t job);
/* Return an array of such names. */
struct json_t *loom_explain_names_json(const struct loom_explained_job *view, const uint32_t *jobs,
                                       size_t n);
/* Return a user ID; null if it is unknown. */
struct json_t *loom_explain_user_json(int32_t user);
/* Append item, taking it over. If it cannot be appended, *array is released and becomes NULL. */
void loom_explain_append(struct json_t **array, struct json_t *item);
/* Return the object of a job that did not join the queue, given `refused`. */
struct json_t *loom_explain_refused_json(const struct loom_explained_job *view,
                                         const char *refused);
/* Return the object of a job on its machine. */
struct json_t *loom_explain_job_json(const struct loom_explained_job *view);

/* ---- criteria of the policy (explain_weights.c) ---------------------------------------------- */

/* Write a section on what the policy weighed the job by; the policy must weigh jobs. */
void loom_explain_write_weights(FILE *out, const struct loom_explained_job *view);
/* Write the user ranks of an overtaker and of the job, if the policy ranks users, without line end.
 */
void loom_explain_write_ranks(FILE *out, const struct loom_explained_job *view,
                              const struct loom_explained_start *start);
/* Return what a job was weighed by at one time; null if the policy does not weigh jobs. */
struct json_t *loom_explain_standing_json(const struct loom_explained_job *view,
                                          const struct loom_standing *at);
/* Return the same for the explained job at all times of interest. */
struct json_t *loom_explain_weights_json(const struct loom_explained_job *view);

/* ---- a grid job (explain_grid.c) ------------------------------------------------------------- */

/* Write all about a grid job: in the grid's queue, then on its cluster. */
void loom_explain_write_grid(FILE *out, const struct loom_grid_view *view);
/* Return the object of a grid job. */
struct json_t *loom_explain_grid_json(const struct loom_grid_view *view);

#endif
