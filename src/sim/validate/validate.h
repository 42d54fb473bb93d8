/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate.h - a schedule as a sequence of instants, for the files that check it. */
#ifndef LOOM_SIM_VALIDATE_VALIDATE_H
#define LOOM_SIM_VALIDATE_VALIDATE_H

#include <workloom/scheduler.h>

#include <workloom/sim_validate.h>

/* A job that ran. */
struct loom_ran {
    int64_t submit_s, start_s, end_s, estimate_s;
    int32_t procs;
    uint32_t row;
    int64_t number;
};

/* The jobs that ran, by (submit, row), and three ways to walk them. */
struct loom_played {
    size_t n;
    struct loom_ran *jobs;
    uint32_t *by_start; /* by (start, submit) */
    uint32_t *by_end;   /* by (end, submit) */
    int64_t procs;
    bool dates;             /* times are in words */
    struct loom_zone *zone; /* and with their dates, if this is not NULL */
};

/* A time as sentences have it: "10", "10 s" or "1996-12-09 15:28:49 (6661698 s)"; and how long
 * something took: "130 s" or "2 min 10 s". Both return buf. */
enum { LOOM_WHEN = 80 };
const char *loom_when(const struct loom_played *played, int64_t time_s, char buf[LOOM_WHEN]);
const char *loom_how_long(const struct loom_played *played, int64_t span_s, char buf[LOOM_WHEN]);

/* Note that a rule is broken. The sentence is printf's. */
void loom_breach(struct loom_checked *check, const struct loom_ran *job, int64_t time_s,
                 const char *format, ...) LOOM_PRINTF(4, 5);

/* What a policy promises (validate/policy.c). */
void loom_check_order(struct loom_checked *check, const struct loom_played *played);

/* Rules for the first waiting job in the queue's order. */
struct loom_first_rules {
    const struct loom_order *order;
    int64_t slack;             /* by how many billionths of its promised wait it may be late */
    struct loom_checked *idle; /* it starts as soon as it fits */
    struct loom_checked *reservation; /* and no later than was promised to it; may be NULL */
    struct loom_checked *turn;        /* no other starts before it; may be NULL */
};
int loom_check_first(const struct loom_first_rules *rules, const struct loom_played *played,
                     struct loom_error *err);
int loom_check_plan(struct loom_checked *check, const struct loom_played *played,
                    struct loom_error *err);

/* Check that every job starts when the policy starts it (validate/exact.c). */
int loom_check_exact(struct loom_checked *check, const struct loom_trace *schedule,
                     const struct loom_played *played, const struct loom_validate_options *options,
                     struct loom_error *err);

/* Return whether a row of a schedule has a start and an end. */
bool loom_did_run(const struct loom_jobs *jobs, size_t row);

#endif
