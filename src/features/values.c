/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of jobs, by name, as samples for fitting and figures.
 *
 * Logs count whole seconds and processors. A whole number k stands for the interval from k - 1/2 to
 * k + 1/2, and 0 for 0 to 1/2; what is computed from one (work, logarithms) for what becomes of
 * that interval.
 */
#include "base/civil.h"
#include "trace/workload.h"

#include <workloom/features.h>
#include <workloom/users.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The jobs in order of submission. */
struct column {
    const struct loom_jobs *jobs;
    const uint32_t *rows;
    const struct loom_zone *zone;
    const struct loom_bags *bags; /* for values of bags, which rows are then */
};

/* The whole number at place i; false if it is unknown. */
typedef bool whole_fn(const struct column *column, size_t i, double *out);

static bool runtime(const struct column *column, size_t i, double *out)
{
    *out = (double)column->jobs->run_s[column->rows[i]];
    return *out >= 0;
}

static bool procs(const struct column *column, size_t i, double *out)
{
    *out = loom_job_procs(column->jobs, column->rows[i]);
    return *out > 0;
}

static double submit_of(const struct column *column, size_t i)
{
    return (double)column->jobs->submit_s[column->rows[i]];
}

static bool interarrival(const struct column *column, size_t i, double *out)
{
    *out = i > 0 ? submit_of(column, i) - submit_of(column, i - 1) : 0;
    return i > 0;
}

/* From 8:00 to 19:00 on Mondays to Fridays (Lublin 7.1). */
static bool at_peak(const struct column *column, size_t i, int64_t *day)
{
    int64_t second, submit_s = column->jobs->submit_s[column->rows[i]];
    *day = loom_civil_day(loom_zone_local(column->zone, submit_s), &second);
    int weekday = loom_civil_weekday(*day);
    return weekday >= 1 && weekday <= 5 && second >= 8 * 3600 && second < 19 * 3600;
}

/* Both jobs come in the peak hours of one day: a gap over a night is not of these hours. */
static bool peak_interarrival(const struct column *column, size_t i, double *out)
{
    int64_t day, before;
    return interarrival(column, i, out) && at_peak(column, i, &day) &&
           at_peak(column, i - 1, &before) && day == before;
}

static bool bag_interarrival(const struct column *column, size_t i, double *out)
{
    const uint32_t *first = column->bags->first;
    *out = i > 0 ? submit_of(column, first[i]) - submit_of(column, first[i - 1]) : 0;
    return i > 0;
}

static bool wait(const struct column *column, size_t i, double *out)
{
    *out = (double)column->jobs->wait_s[column->rows[i]];
    return *out >= 0;
}

static bool requested_time(const struct column *column, size_t i, double *out)
{
    *out = (double)column->jobs->request_s[column->rows[i]];
    return *out > 0;
}

/* A value is the whole number, times the processors where it is work; its logarithm, where asked
 * for, has none for 0. Lublin takes sizes to the base 2 (4.3) and all else to the base e (5.1, 5.3,
 * 7.1). */
enum logarithm { PLAIN, LOG_E, LOG_2 };

static const struct kind {
    const char *name;
    whole_fn *whole;
    enum logarithm logarithm;
    bool times_procs, of_bags;
} kinds[] = {
    {"runtime", runtime, PLAIN, false, false},
    {"log-runtime", runtime, LOG_E, false, false},
    {"procs", procs, PLAIN, false, false},
    {"log-procs", procs, LOG_2, false, false},
    {"interarrival", interarrival, PLAIN, false, false},
    {"log-interarrival", interarrival, LOG_E, false, false},
    {"log-peak", peak_interarrival, LOG_E, false, false},
    {"work", runtime, PLAIN, true, false},
    {"log-work", runtime, LOG_E, true, false},
    {"wait", wait, PLAIN, false, false},
    {"estimate", requested_time, PLAIN, false, false},
    {"bag-interarrival", bag_interarrival, PLAIN, false, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *const loom_values_names[] = {"runtime",   "log-runtime",  "procs",
                                         "log-procs", "interarrival", "log-interarrival",
                                         "log-peak",  "work",         "log-work",
                                         "wait",      "estimate",     "bag-interarrival",
                                         NULL};
_Static_assert(sizeof loom_values_names / sizeof *loom_values_names == KINDS + 1,
               "a name for each kind");

static double scaled_value(const struct kind *kind, double whole, double times)
{
    double value = fmax(whole, 0) * times;
    return kind->logarithm == LOG_E ? log(value) : kind->logarithm == LOG_2 ? log2(value) : value;
}

static bool take_value(struct loom_rounded *out, const struct kind *kind,
                       const struct column *column, size_t i)
{
    double whole, times = 1;
    if (!kind->whole(column, i, &whole) || (kind->times_procs && !procs(column, i, &times)) ||
        (kind->logarithm != PLAIN && whole <= 0))
        return false;
    out->x[out->n] = scaled_value(kind, whole, times);
    out->low[out->n] = scaled_value(kind, whole - 0.5, times);
    out->high[out->n++] = scaled_value(kind, whole + 0.5, times);
    return true;
}

static int take_all(struct loom_rounded *out, const struct kind *kind, const struct column *column,
                    size_t n, struct loom_error *err)
{
    *out = (struct loom_rounded){.x = malloc((n + 1) * sizeof(double)),
                                 .low = malloc((n + 1) * sizeof(double)),
                                 .high = malloc((n + 1) * sizeof(double))};
    if (!out->x || !out->low || !out->high) {
        loom_rounded_free(out);
        return loom_fail_memory(err);
    }
    for (size_t i = 0; i < n; i++)
        take_value(out, kind, column, i);
    return 0;
}

static const struct kind *find_kind(const char *what)
{
    for (size_t k = 0; k < KINDS; k++)
        if (strcmp(kinds[k].name, what) == 0)
            return &kinds[k];
    return NULL;
}

int loom_values_rounded(struct loom_rounded *out, const struct loom_trace *trace, const char *what,
                        struct loom_error *err)
{
    const struct kind *kind = find_kind(what);
    if (!kind)
        return loom_fail(err, LOOM_EUSAGE, "jobs have no '%s' to fit", what);
    struct column column = {.jobs = loom_trace_jobs(trace)};
    struct loom_zone *zone = NULL;
    struct loom_bags *bags = NULL;
    uint32_t *rows = NULL;
    size_t n = 0;
    int rc = loom_zone_create(&zone, trace, NULL, err);
    if (!rc)
        rc = loom_trace_arrivals(&rows, &n, trace, err);
    if (!rc && kind->of_bags)
        rc = loom_bags_create(&bags, trace, LOOM_BAG_DELTA_S, err);
    column.rows = rows;
    column.zone = zone;
    column.bags = bags;
    if (!rc)
        rc = take_all(out, kind, &column, bags ? bags->count : n, err);
    loom_bags_destroy(bags);
    loom_zone_destroy(zone);
    free(rows);
    return rc;
}

int loom_values_of(double **out, size_t *n, const struct loom_trace *trace, const char *what,
                   struct loom_error *err)
{
    struct loom_rounded values = {0};
    int rc = loom_values_rounded(&values, trace, what, err);
    if (rc)
        return rc;
    *out = values.x;
    *n = values.n;
    values.x = NULL;
    loom_rounded_free(&values);
    return 0;
}
