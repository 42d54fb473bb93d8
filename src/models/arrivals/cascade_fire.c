/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generate arrivals from rates: growth after growth, until there are enough. */
#include "base/draw.h"
#include "models/arrivals/cascade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LONGEST_S = 1e12; /* 30,000 years */

/* ---- integrate and fire ---------------------------------------------------------------------- */

static int cascade_make_room(struct loom_generation *generation, size_t n, struct loom_error *err)
{
    int rc = 0;
    while (generation->draft.n < n && !rc)
        rc = loom_generation_more(generation, err);
    return rc;
}

void loom_fire_start(struct loom_fire *out, int64_t interval_s, double spread,
                     const struct loom_generation *generation)
{
    *out = (struct loom_fire){.interval_s = interval_s, .spread = spread};
    loom_generation_stream(&out->places, generation, "cascade places");
}

double loom_fire_due(double *missing, double jobs)
{
    double due = jobs > *missing ? ceil(jobs - *missing) : 0;
    *missing += due - jobs;
    return due;
}

/* Where in the interval its jobs begin. In the first interval they begin with it. */
static double lead_in(struct loom_fire *fire)
{
    if (fire->fired == 0)
        return 0;
    return (1 - fire->spread) * loom_draw_uniform(&fire->places) * (double)fire->interval_s;
}

/* The jobs of one interval, whose sum grows from `missing` below a whole number by `jobs`. */
static void cascade_fire_place_jobs(struct loom_fire *fire, struct loom_draft *draft, size_t count,
                                    double due, double jobs, double missing)
{
    bool even = fire->spread >= 1;
    double from_s = even ? 0 : lead_in(fire), first = even ? missing : 0;
    double step_s = fire->spread * (double)fire->interval_s / (even ? jobs : due);
    int64_t *submit_s = draft->submit_s + fire->fired;
    for (size_t i = 0; i < count; i++)
        submit_s[i] = fire->start_s + (int64_t)(from_s + (first + (double)i) * step_s);
}

/* One interval in which `jobs` are due. */
static int fire_interval(struct loom_fire *fire, double jobs, struct loom_generation *generation,
                         struct loom_error *err)
{
    if (jobs > UINT32_MAX)
        return loom_fail(err, LOOM_ERANGE,
                         "%g jobs in %lld s are more than a trace can hold; ask for a lower rate",
                         jobs, (long long)fire->interval_s);
    double missing = fire->missing, due = loom_fire_due(&fire->missing, jobs);
    size_t left = generation->jobs - fire->fired, most = (size_t)(int64_t)due;
    size_t count = most < left ? most : left;
    int rc = cascade_make_room(generation, fire->fired + count, err);
    if (rc)
        return rc;
    if (count > 0)
        cascade_fire_place_jobs(fire, &generation->draft, count, due, jobs, missing);
    fire->fired += count;
    return 0;
}

int loom_fire_rates(struct loom_fire *fire, const double *rates, size_t n,
                    struct loom_generation *generation, bool *done, struct loom_error *err)
{
    double seconds = (double)fire->interval_s * generation->rate;
    for (size_t i = 0; i < n; i++, fire->start_s += fire->interval_s) {
        *done = fire->fired >= generation->jobs || fire->start_s >= generation->horizon_s;
        if (*done)
            return 0;
        int rc = fire_interval(fire, rates[i] * seconds, generation, err);
        if (rc)
            return rc;
    }
    return 0;
}

/* ---- generating ---------------------------------------------------------------------------------
 */

/* How long a number of jobs may take: at a rate of next to nothing, they would never come. */
static double longest_s(const struct loom_generation *generation, int64_t interval_s)
{
    double intervals =
        generation->jobs < SIZE_MAX ? 1e7 + 1e4 * (double)generation->jobs : INFINITY;
    return fmin(LONGEST_S, intervals * (double)interval_s);
}

static int grow_and_fire(struct loom_forest *forest, struct loom_generation *generation,
                         struct loom_error *err)
{
    struct loom_fire fire;
    loom_fire_start(&fire, forest->cascade->interval_s, forest->zeros ? forest->zeros->spread : 1,
                    generation);
    double most_s = longest_s(generation, fire.interval_s);
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
        rc = loom_fire_rates(&fire, forest->rates, forest->n, generation, &done, err);
    }
    return rc ? rc : loom_draft_resize(&generation->draft, fire.fired, err);
}

int loom_cascade_generate(const struct loom_cascade *cascade, const struct loom_zeros *zeros,
                          struct loom_generation *generation, struct loom_error *err)
{
    struct loom_forest forest;
    int rc = loom_forest_create(&forest, cascade, zeros, generation, err);
    if (rc)
        return rc;
    rc = grow_and_fire(&forest, generation, err);
    loom_forest_free(&forest);
    return rc;
}
