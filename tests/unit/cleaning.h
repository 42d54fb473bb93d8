/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cleaning.h - what the tests of the cleaning rules share: small logs, and what cleaning drops. */
#ifndef LOOM_TESTS_CLEANING_H
#define LOOM_TESTS_CLEANING_H

#include "support.h"

enum { DAY = 86400, WEEK = 7 * DAY, HOUR = 3600 };

/* ---- logs ------------------------------------------------------------------------------------ */

/* All logs begin at 2001-09-09 00:00:00 UTC, a Sunday, and their zone is UTC. */
struct loom_trace *new_trace(void);
/* A job that nothing is wrong with. */
struct loom_job good_job(int64_t submit_s, int32_t user);
/* Numbers jobs by their row, from 1. */
void add(struct loom_trace *trace, struct loom_job job);
void add_every(struct loom_trace *trace, int32_t user, int64_t from_s, int64_t to_s,
               int64_t step_s);
void add_burst(struct loom_trace *trace, int32_t user, int64_t from_s, int64_t jobs,
               int64_t length_s);
/* Five users, and per_week jobs of theirs every week. */
void add_others(struct loom_trace *trace, int64_t weeks, int64_t per_week);

/* ---- cleaning them --------------------------------------------------------------------------- */

struct option {
    const char *name, *value;
};

#define OPTIONS(...) ((const struct option[]){__VA_ARGS__, {NULL, NULL}})
#define NO_OPTIONS ((const struct option[]){{NULL, NULL}})
#define AUTO               \
    {                      \
        "flurries", "auto" \
    }

int try_clean(struct loom_cleaning **out, const struct loom_trace *trace,
              const struct option *options, struct loom_error *err);
/* Must succeed. Each mark points at a reason, and each reason counts its marks. */
struct loom_cleaning *clean(const struct loom_trace *trace, const struct option *options);

/* "rule jobs text\n" for each reason. */
void assert_reasons(const struct loom_cleaning *cleaning, const char *expected);
/* Clean, compare the reasons, and destroy the trace. */
void assert_cleans(struct loom_trace *trace, const struct option *options, const char *expected);
/* The rows that go are first .. last and no others. */
void assert_drops_rows(const struct loom_cleaning *cleaning, size_t jobs, size_t first,
                       size_t last);

#endif
