/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a rate of arrivals to arrivals: growth after growth, until there are enough. */
#include "base/draw.h"
#include "models/cascade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LONGEST_S = 1e12; /* 30,000 years */

/* ---- without long-range dependence ----------------------------------------------------------- */

/* Lengths of the runs of busy intervals and of others, which take turns. lengths holds n. */
static size_t find_runs(uint32_t *lengths, const double *rates, size_t n)
{
    size_t runs = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || (rates[i] > 0) != (rates[i - 1] > 0))
            lengths[runs++] = 0;
        lengths[runs - 1]++;
    }
    return runs;
}

/* Every second length, from the first one given. */
static void shuffle_lengths(uint32_t *lengths, size_t n, struct loom_stream *stream)
{
    for (size_t left = (n + 1) / 2; left > 1; left--) {
        uint32_t *a = lengths + 2 * (left - 1), *b = lengths + 2 * loom_stream_below(stream, left);
        uint32_t length = *a;
        *a = *b;
        *b = length;
    }
}

static size_t take_busy(double *busy, const double *rates, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (rates[i] > 0)
            busy[count++] = rates[i];
    return count;
}

static void lay_out(double *rates, double *busy, size_t n_busy, const uint32_t *lengths,
                    size_t runs, bool begins_busy, struct loom_stream *stream)
{
    for (size_t run = 0; run < runs; run++) {
        bool is_busy = begins_busy == (run % 2 == 0);
        for (uint32_t i = 0; i < lengths[run]; i++, rates++) {
            *rates = 0;
            if (!is_busy)
                continue;
            size_t drawn = loom_stream_below(stream, n_busy);
            *rates = busy[drawn];
            busy[drawn] = busy[--n_busy];
        }
    }
}

int loom_rates_shuffle(double *rates, size_t n, struct loom_stream *stream, struct loom_error *err)
{
    uint32_t *lengths = malloc(n * sizeof *lengths);
    double *busy = malloc(n * sizeof *busy);
    if (!lengths || !busy) {
        free(lengths);
        free(busy);
        return loom_fail_memory(err);
    }
    size_t runs = find_runs(lengths, rates, n);
    size_t n_busy = take_busy(busy, rates, n);
    shuffle_lengths(lengths, runs, stream);
    shuffle_lengths(lengths + 1, runs - 1, stream);
    lay_out(rates, busy, n_busy, lengths, runs, rates[0] > 0, stream);
    free(lengths);
    free(busy);
    return 0;
}

/* ---- integrate and fire ---------------------------------------------------------------------- */

static int make_room(struct loom_weave *weave, size_t n, struct loom_error *err)
{
    int rc = 0;
    while (weave->draft.n < n && !rc)
        rc = loom_weave_more(weave, err);
    return rc;
}

void loom_fire_start(struct loom_fire *out, int64_t interval_s, double spread,
                     const struct loom_weave *weave)
{
    *out = (struct loom_fire){.interval_s = interval_s, .spread = spread};
    loom_weave_stream(&out->places, weave, "cascade places");
}

double loom_fire_due(double *missing, double jobs)
{
    double due = jobs > *missing ? ceil(jobs - *missing) : 0;
    *missing += due - jobs;
    return due;
}

/* Where in the interval its jobs begin. Those of the first one begin with it. */
static double lead_in(struct loom_fire *fire)
{
    if (fire->fired == 0)
        return 0;
    return (1 - fire->spread) * loom_draw_uniform(&fire->places) * (double)fire->interval_s;
}

/* The jobs of one interval, whose sum grows from `missing` below a whole number by `jobs`. */
static void place_jobs(struct loom_fire *fire, int64_t *submit_s, size_t count, double due,
                       double jobs, double missing)
{
    bool even = fire->spread >= 1;
    double from_s = even ? 0 : lead_in(fire), first = even ? missing : 0;
    double step_s = fire->spread * (double)fire->interval_s / (even ? jobs : due);
    for (size_t i = 0; i < count; i++)
        submit_s[i] = fire->start_s + (int64_t)(from_s + (first + (double)i) * step_s);
}

/* One interval in which `jobs` are due. */
static int fire_interval(struct loom_fire *fire, double jobs, struct loom_weave *weave,
                         struct loom_error *err)
{
    if (jobs > UINT32_MAX)
        return loom_fail(err, LOOM_ERANGE,
                         "%g jobs in %lld s are more than a trace can hold; ask for a lower rate",
                         jobs, (long long)fire->interval_s);
    double missing = fire->missing, due = loom_fire_due(&fire->missing, jobs);
    size_t left = weave->jobs - fire->fired, count = due < (double)left ? (size_t)due : left;
    int rc = make_room(weave, fire->fired + count, err);
    if (rc)
        return rc;
    if (count > 0)
        place_jobs(fire, weave->draft.submit_s + fire->fired, count, due, jobs, missing);
    fire->fired += count;
    return 0;
}

int loom_fire_rates(struct loom_fire *fire, const double *rates, size_t n, struct loom_weave *weave,
                    bool *done, struct loom_error *err)
{
    double seconds = (double)fire->interval_s * weave->rate;
    for (size_t i = 0; i < n; i++, fire->start_s += fire->interval_s) {
        *done = fire->fired >= weave->jobs || fire->start_s >= weave->horizon_s;
        if (*done)
            return 0;
        int rc = fire_interval(fire, rates[i] * seconds, weave, err);
        if (rc)
            return rc;
    }
    return 0;
}

/* ---- weaving --------------------------------------------------------------------------------- */

/* How long a number of jobs may take: at a rate of next to nothing, they would never come. */
static double longest_s(const struct loom_weave *weave, int64_t interval_s)
{
    double intervals = weave->jobs < SIZE_MAX ? 1e7 + 1e4 * (double)weave->jobs : INFINITY;
    return fmin(LONGEST_S, intervals * (double)interval_s);
}

static int grow_and_fire(struct loom_forest *forest, struct loom_weave *weave,
                         struct loom_error *err)
{
    struct loom_stream order;
    loom_weave_stream(&order, weave, "cascade order");
    struct loom_fire fire;
    loom_fire_start(&fire, forest->cascade->interval_s, forest->zeros ? forest->zeros->spread : 1,
                    weave);
    double most_s = longest_s(weave, fire.interval_s);
    bool done = false;
    int rc = 0;
    while (!done && !rc) {
        if ((double)fire.start_s > most_s)
            return loom_fail(
                err, LOOM_ERANGE,
                "so many jobs take more than %.3g years at this rate; ask for fewer or "
                "for a higher rate",
                most_s / 86400 / 365.25);
        loom_forest_grow(forest);
        if (weave->without & LOOM_LRD)
            rc = loom_rates_shuffle(forest->rates, forest->n, &order, err);
        if (!rc)
            rc = loom_fire_rates(&fire, forest->rates, forest->n, weave, &done, err);
    }
    return rc ? rc : loom_draft_resize(&weave->draft, fire.fired, err);
}

int loom_cascade_weave(const struct loom_cascade *cascade, const struct loom_zeros *zeros,
                       struct loom_weave *weave, struct loom_error *err)
{
    struct loom_forest forest;
    int rc = loom_forest_create(&forest, cascade, zeros, weave, err);
    if (rc)
        return rc;
    rc = grow_and_fire(&forest, weave, err);
    loom_forest_free(&forest);
    return rc;
}
