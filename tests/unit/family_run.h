/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * family_run.h - one family of features at a time, without the dictionary: it provides what the
 * dictionary provides to families, so each program includes it once.
 */
#ifndef LOOM_TESTS_FAMILY_RUN_H
#define LOOM_TESTS_FAMILY_RUN_H

#include "features/family.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a family puts ---------------------------------------------------------------------- */

enum { MAX_KEYS = 32 };

struct loom_results {
    const struct loom_family_ops *family;
    bool known[MAX_KEYS];
    double values[MAX_KEYS];
    const char *reasons[MAX_KEYS];
};

static inline size_t key_index(const struct loom_results *results, const char *key)
{
    size_t i = 0;
    while (results->family->keys[i].key && strcmp(results->family->keys[i].key, key) != 0)
        i++;
    if (!results->family->keys[i].key)
        fail_msg("%s is not declared", key);
    return i;
}

static inline size_t new_key(const struct loom_results *results, const char *key)
{
    size_t i = key_index(results, key);
    if (results->known[i] || results->reasons[i])
        fail_msg("%s is put twice", key);
    return i;
}

void loom_put(struct loom_results *results, const char *key, double value)
{
    size_t i = new_key(results, key);
    results->known[i] = true;
    results->values[i] = value;
}

void loom_put_note(struct loom_results *results, const char *key, const char *note)
{
    assert_true(results->known[key_index(results, key)] && note);
}

void loom_put_missing(struct loom_results *results, const char *key, const char *reason)
{
    results->reasons[new_key(results, key)] = reason;
}

const struct loom_definitions *loom_results_definitions(const struct loom_results *results)
{
    static const struct loom_definitions dictionary = {.bag_gap_s = LOOM_BAG_DELTA_S,
                                                       .rate_interval_s = 900};
    (void)results;
    return &dictionary;
}

void loom_keep_clusters(struct loom_results *results, struct loom_clusters *clusters)
{
    (void)results;
    loom_clusters_free(clusters);
}

void loom_put_rest_missing(struct loom_results *results, const char *reason)
{
    for (size_t i = 0; results->family->keys[i].key; i++)
        if (!results->known[i] && !results->reasons[i])
            results->reasons[i] = reason;
}

/* ---- logs ------------------------------------------------------------------------------------ */

/* A job; rows must be in order of submission. */
struct row {
    int64_t submit_s, wait_s, run_s, request_s;
    int32_t alloc_procs, req_procs, user;
};

static inline struct loom_trace *trace_of(const struct row *rows, size_t n)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = rows[i].submit_s;
        job.wait_s = rows[i].wait_s;
        job.run_s = rows[i].run_s;
        job.request_s = rows[i].request_s;
        job.alloc_procs = rows[i].alloc_procs;
        job.req_procs = rows[i].req_procs;
        job.user = rows[i].user;
        append(trace, job);
    }
    return trace;
}

/* Run the family and see that it deals with each of its keys. */
static inline struct loom_results run_family(const struct loom_family_ops *family,
                                             const struct row *rows, size_t n)
{
    struct loom_results results = {.family = family};
    struct loom_trace *trace = trace_of(rows, n);
    const struct loom_jobs *columns = loom_trace_jobs(trace);
    struct loom_zone *zone = NULL;
    assert_int_equal(loom_zone_create(&zone, trace, NULL, NULL), 0);
    int32_t *procs = malloc((n + 1) * sizeof *procs);
    assert_non_null(procs);
    for (size_t i = 0; i < n; i++)
        procs[i] = loom_job_procs(columns, i);
    struct loom_workload jobs = {
        .trace = trace,
        .zone = zone,
        .n = n,
        .submit_s = columns->submit_s,
        .run_s = columns->run_s,
        .wait_s = columns->wait_s,
        .request_s = columns->request_s,
        .procs = procs,
        .user = columns->user,
    };
    assert_int_equal(family->compute(&jobs, &results, NULL), 0);
    for (size_t i = 0; family->keys[i].key; i++)
        if (!results.known[i] && !results.reasons[i])
            fail_msg("%s is not put", family->keys[i].key);
    free(procs);
    loom_zone_destroy(zone);
    loom_trace_destroy(trace);
    return results;
}

static inline void assert_value(const struct loom_results *results, const char *key, double value)
{
    size_t i = key_index(results, key);
    if (!results->known[i])
        fail_msg("%s: %s", key, results->reasons[i]);
    double got = results->values[i], off = got > value ? got - value : value - got;
    if (!(off <= 1e-12 * (value > 1 ? value : 1)))
        fail_msg("%s is %.17g, not %.17g", key, got, value);
}

static inline void assert_missing(const struct loom_results *results, const char *key,
                                  const char *reason)
{
    size_t i = key_index(results, key);
    assert_false(results->known[i]);
    assert_string_equal(results->reasons[i], reason);
}

#endif
