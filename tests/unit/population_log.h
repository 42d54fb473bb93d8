/* SPDX-License-Identifier: GPL-3.0-or-later */
/* population_log.h - logs of random users. */
#ifndef LOOM_TESTS_POPULATION_LOG_H
#define LOOM_TESTS_POPULATION_LOG_H

#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/users.h>

enum { WEEK = 7 * 86400, MOST = 4000 };

/* ---- logs ------------------------------------------------------------------------------------ */

struct log {
    size_t n;
    int32_t user[MOST];
    int64_t submit_s[MOST], wait_s[MOST], run_s[MOST];
    struct loom_users *users;
    struct loom_user_pools *pools;
};

static inline void add(struct log *log, int32_t user, int64_t submit_s, int64_t wait_s,
                       int64_t run_s)
{
    assert_true(log->n < MOST);
    log->user[log->n] = user;
    log->submit_s[log->n] = submit_s;
    log->wait_s[log->n] = wait_s;
    log->run_s[log->n++] = run_s;
}

static inline void finish(struct log *log, struct loom_user_rule rule)
{
    struct loom_activity activity = {log->n, log->user, log->submit_s, log->wait_s, log->run_s};
    assert_int_equal(loom_users_create(&log->users, &activity, NULL), 0);
    assert_int_equal(loom_user_pools_create(&log->pools, log->users, &rule, NULL), 0);
}

static inline void release(struct log *log)
{
    loom_user_pools_destroy(log->pools);
    loom_users_destroy(log->users);
    free(log);
}

/* Long-term users 1 .. 10 over 30 to 50 weeks, temporary users 11 .. 40 over 1 to 9 weeks, each
 * with a few dozen jobs, in a log of 60 weeks and some days that begins in the middle of a day. */
static inline struct log *random_log(uint64_t seed)
{
    struct log *log = calloc(1, sizeof *log);
    struct loom_stream stream;
    assert_non_null(log);
    loom_stream_init(&stream, seed, 0, "test log");
    int64_t begin_s = 123456, span_s = 60 * WEEK + 300000;
    add(log, 1, begin_s, 5, 10);
    add(log, 2, begin_s + span_s, 5, 10);
    for (int32_t user = 1; user <= 40; user++) {
        int64_t weeks = user <= 10 ? 30 + (int64_t)loom_stream_below(&stream, 20)
                                   : 1 + (int64_t)loom_stream_below(&stream, 9);
        int64_t from_s =
            begin_s + (int64_t)loom_stream_below(&stream, (uint64_t)(50 - weeks) * WEEK) + 5 * WEEK;
        for (int job = 0; job < 50; job++)
            add(log, user, from_s + (int64_t)loom_stream_below(&stream, (uint64_t)weeks * WEEK),
                (int64_t)loom_stream_below(&stream, 4000),
                (int64_t)loom_stream_below(&stream, 9000));
    }
    finish(log, loom_user_rule());
    return log;
}

static inline struct loom_population *
draw(const struct log *log, const struct loom_population_rule *rule, uint64_t replication)
{
    struct loom_population *population = NULL;
    struct loom_error err = {0};
    int rc =
        loom_population_create(&population, log->users, log->pools, rule, 7, replication, &err);
    if (rc)
        fail_msg("%s", err.message);
    return population;
}

#endif
