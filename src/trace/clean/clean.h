/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clean.h - what a cleaning rule provides: one .c file that ends in a const struct loom_rule_ops,
 * one line in the list in clean.c, and its parameters in loom_clean_params there (a const array
 * cannot be put together from several files).
 *
 * Rules run in the order of that list. Each sees only the jobs that no rule before it marked, so a
 * job goes for one reason, the first.
 */
#ifndef LOOM_TRACE_CLEAN_CLEAN_H
#define LOOM_TRACE_CLEAN_CLEAN_H

#include <workloom/trace.h>

/* What a rule works with. */
struct loom_find {
    const struct loom_trace *trace;
    const struct loom_jobs *jobs;
    const struct loom_params *params;
    const struct loom_zone *zone;
    const uint32_t *rows; /* the rows unmarked when the rule began, in order of (submit, row) */
    size_t n;
    const struct loom_rule_ops *rule;
    struct loom_cleaning *cleaning;
};

struct loom_rule_ops {
    struct loom_rule_info info;
    bool (*wanted)(const struct loom_params *params);
    int (*find)(struct loom_find *find, struct loom_error *err);
};

/* A reason is begun, rows are marked with it, and it is ended with its sentence. Only one is open
 * at a time. A row that is marked already stays as it is. */
int loom_reason_begin(struct loom_find *find, struct loom_error *err);
void loom_reason_mark(struct loom_find *find, uint32_t row);
/* Jobs marked with the open reason so far. */
int64_t loom_reason_jobs(const struct loom_find *find);
bool loom_reason_taken(const struct loom_find *find, uint32_t row);
/* A reason without jobs is forgotten, */
int loom_reason_end(struct loom_find *find, struct loom_error *err, const char *format, ...)
    LOOM_PRINTF(3, 4);
/* unless it is ended so: it answers to something the user named, and should report that it found
 * nothing. */
int loom_reason_end_named(struct loom_find *find, struct loom_error *err, const char *format, ...)
    LOOM_PRINTF(3, 4);

/* "user 3 (anna)", or "user 3" where there is no name. Returns buf. */
const char *loom_find_user(const struct loom_find *find, int32_t user, char *buf, size_t size);
/* A submit time as a date or, where the start of the log is unknown, "second N".
 * Returns buf. */
const char *loom_find_time(const struct loom_find *find, int64_t log_s, char *buf, size_t size);
enum { LOOM_FIND_TEXT = 96 }; /* a good size for both */

/* b - a for a <= b, whatever their signs. */
static inline uint64_t loom_time_between(int64_t a, int64_t b)
{
    return (uint64_t)b - (uint64_t)a;
}

extern const struct loom_rule_ops loom_rule_impossible, loom_rule_unrun, loom_rule_admin,
    loom_rule_flurry, loom_rule_days;

#endif
