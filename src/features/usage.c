/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Use of a machine and its applications, after the analyses listed in the survey (section 2.1) and
 * its remark on popularity (4.1): jobs that run at the same time, the correlation of resources with
 * the time of day, runs of the same application, and Zipf's law.
 *
 * An application is what the log calls the executable. A run repeats an application if an earlier
 * job of the log ran it; whether by the same user and on the same number of processors is said of
 * the run before. The time of day is a circle, so its correlation is the circular-linear one
 * (Mardia 1976) with the ranks of the other value.
 */
#include "base/civil.h"
#include "features/applications.h"
#include "features/measure.h"
#include "features/occupancy.h"

#include <math.h>
#include <stdlib.h>

/* ---- running at the same time ---------------------------------------------------------------- */

static int put_levels(struct loom_results *results, const struct loom_workload *jobs,
                      struct loom_error *err)
{
    struct loom_occupancy occupancy;
    double sum = 0;
    int rc = loom_occupancy_create(&occupancy, jobs, err);
    if (rc == LOOM_ENOMEM)
        return rc;
    for (size_t level = 0; !rc && level <= occupancy.most_jobs; level++)
        sum += (double)level * loom_level_s(&occupancy, LOOM_ALWAYS, level);
    const struct {
        const char *key;
        double value;
    } values[] = {
        {"concurrency.jobs_mean", rc ? 0 : sum / occupancy.total_s[LOOM_ALWAYS]},
        {"concurrency.jobs_max", rc ? 0 : (double)occupancy.most_jobs},
        {"concurrency.procs_max", rc ? 0 : occupancy.most_procs},
        {"concurrency.idle_fraction",
         rc ? 0 : loom_level_s(&occupancy, LOOM_ALWAYS, 0) / occupancy.total_s[LOOM_ALWAYS]},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        loom_put_outcome(results, values[i].key, rc, values[i].value,
                         "no job is known to have run at a known time");
    loom_occupancy_free(&occupancy);
    return 0;
}

/* ---- the time of day ------------------------------------------------------------------------- */

typedef double value_fn(const struct loom_workload *jobs, size_t job);

static double runtime_of(const struct loom_workload *jobs, size_t job)
{
    return jobs->run_s[job] >= 0 ? (double)jobs->run_s[job] : NAN;
}

static double procs_of(const struct loom_workload *jobs, size_t job)
{
    return jobs->procs[job] > 0 ? (double)jobs->procs[job] : NAN;
}

static double usage_work(const struct loom_workload *jobs, size_t job)
{
    return runtime_of(jobs, job) * procs_of(jobs, job);
}

/* Columns of n entries: the value, cosine and sine of the time of day. */
struct day_columns {
    double *value, *cosine, *sine, *ranks;
    size_t n;
};

static void usage_columns(struct day_columns *columns, const struct loom_workload *jobs,
                          value_fn *value)
{
    columns->n = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        double x = value(jobs, i);
        int64_t second;
        if (isnan(x))
            continue;
        loom_civil_day(loom_zone_local(jobs->zone, jobs->submit_s[i]), &second);
        double angle = 2 * M_PI * (double)second / LOOM_DAY_S;
        columns->value[columns->n] = x;
        columns->cosine[columns->n] = cos(angle);
        columns->sine[columns->n++] = sin(angle);
    }
}

/* R^2 = (c^2 + s^2 - 2 c s t) / (1 - t^2), with the correlations c and s of the value with cosine
 * and sine, and t of these with each other. */
static int circular(double *out, const struct day_columns *columns, struct loom_error *err)
{
    double c, s, t;
    int rc = loom_ranks(columns->ranks, columns->value, columns->n, err);
    if (!rc)
        rc = loom_pearson(&c, columns->ranks, columns->cosine, columns->n, err);
    if (!rc)
        rc = loom_pearson(&s, columns->ranks, columns->sine, columns->n, err);
    if (!rc)
        rc = loom_pearson(&t, columns->cosine, columns->sine, columns->n, err);
    if (!rc)
        *out = sqrt(fmax(0, (c * c + s * s - 2 * c * s * t) / (1 - t * t)));
    return rc;
}

static int put_time_of_day(struct loom_results *results, const struct loom_workload *jobs,
                           struct loom_error *err)
{
    static const struct {
        const char *key;
        value_fn *value;
    } attributes[] = {{"corr.hour_runtime", runtime_of},
                      {"corr.hour_procs", procs_of},
                      {"corr.hour_work", usage_work}};
    static const size_t count = sizeof attributes / sizeof *attributes;
    if (loom_trace_machine(jobs->trace)->unix_start_s <= 0) {
        for (size_t i = 0; i < count; i++)
            loom_put_missing(results, attributes[i].key,
                             "the header does not say when the log starts (UnixStartTime)");
        return 0;
    }
    double *scratch = malloc((4 * jobs->n + 1) * sizeof *scratch);
    if (!scratch)
        return loom_fail_memory(err);
    struct day_columns columns = {scratch, scratch + jobs->n, scratch + 2 * jobs->n,
                                  scratch + 3 * jobs->n, 0};
    int rc = 0;
    for (size_t i = 0; i < count && !rc; i++) {
        double r = 0;
        usage_columns(&columns, jobs, attributes[i].value);
        int known = columns.n > 2 ? circular(&r, &columns, err) : LOOM_EDATA;
        rc = loom_put_outcome(results, attributes[i].key, known, r,
                              "too few jobs have it, or it or the time of day does not vary");
    }
    free(scratch);
    return rc;
}

/* ---- applications and popularity ------------------------------------------------------------- */

static void put_repeats(struct loom_results *results, const struct loom_applications *all)
{
    double shared = 0, varied = 0, cv = 0;
    for (size_t i = 0; i < all->n; i++) {
        shared += all->of[i].users > 1;
        if (all->of[i].known >= 2 && all->of[i].mean_s > 0) {
            varied++;
            cv += all->of[i].cv;
        }
    }
    loom_put(results, "application.count", (double)all->n);
    loom_put(results, "application.repeat_fraction", (double)all->repeats / (double)all->runs);
    loom_put(results, "application.shared_fraction", shared / (double)all->n);
    static const char none[] = "no application was run twice";
    loom_put_outcome(results, "application.same_user_fraction", all->repeats ? 0 : LOOM_EDATA,
                     (double)all->same_user / (double)all->repeats, none);
    loom_put_outcome(results, "application.same_procs_fraction", all->repeats ? 0 : LOOM_EDATA,
                     (double)all->same_procs / (double)all->repeats, none);
    loom_put_outcome(results, "application.runtime_cv_mean", varied > 0 ? 0 : LOOM_EDATA,
                     cv / varied, "no application has two known runtimes above 0");
}

/* The exponent b of count ~ rank^-b, by least squares on logarithms. */
static int put_exponent(struct loom_results *results, const char *key, const int32_t *items,
                        size_t n, const char *reason, struct loom_error *err)
{
    double *counts = NULL;
    size_t different = 0;
    struct loom_line line = {0};
    int rc = loom_popularity(&counts, &different, items, n, err);
    if (!rc)
        rc = loom_popularity_line(&line, counts, different, err);
    free(counts);
    return loom_put_outcome(results, key, rc, -line.slope, reason);
}

static int put_applications(struct loom_results *results, const struct loom_workload *jobs,
                            struct loom_error *err)
{
    struct loom_applications all;
    int rc = loom_applications_create(&all, jobs, err);
    if (!rc && all.n > 0)
        put_repeats(results, &all);
    loom_applications_free(&all);
    if (!rc)
        rc = put_exponent(results, "popularity.application_exponent", jobs->executable, jobs->n,
                          "fewer than two applications are known", err);
    if (!rc)
        rc = put_exponent(results, "popularity.user_exponent", jobs->user, jobs->n,
                          "fewer than two users are known", err);
    if (!rc)
        loom_put_rest_missing(results, "no job has an executable");
    return rc;
}

static int usage_compute(const struct loom_workload *jobs, struct loom_results *results,
                         struct loom_error *err)
{
    int rc = put_levels(results, jobs, err);
    if (!rc)
        rc = put_time_of_day(results, jobs, err);
    return rc ? rc : put_applications(results, jobs, err);
}

static const struct loom_feature_info keys[] = {
    {"concurrency.jobs_mean", "jobs", "mean number of jobs that run at the same time",
     "Feitelson 2002, 2.1"},
    {"concurrency.jobs_max", "jobs", "largest number of jobs that run at the same time",
     "Feitelson 2002, 2.1"},
    {"concurrency.procs_max", "processors", "largest number of processors busy at the same time",
     "Feitelson 2002, 2.1"},
    {"concurrency.idle_fraction", "",
     "share of the time from the first start to the last end in which no job runs",
     "Feitelson 2002, 2.1"},
    {"corr.hour_runtime", "",
     "circular-linear correlation of the time of day of a submission with the rank of the runtime",
     "Feitelson 2002, 2.1"},
    {"corr.hour_procs", "",
     "circular-linear correlation of the time of day with the rank of the processors",
     "Feitelson 2002, 2.1"},
    {"corr.hour_work", "",
     "circular-linear correlation of the time of day with the rank of runtime times processors",
     "Feitelson 2002, 2.1"},
    {"application.count", "applications", "number of different executables", "Feitelson 2002, 2.1"},
    {"application.repeat_fraction", "", "share of runs whose executable ran before in the log",
     "Feitelson 2002, 2.1"},
    {"application.shared_fraction", "", "share of executables that more than one user ran",
     "Feitelson 2002, 2.1"},
    {"application.same_user_fraction", "",
     "share of repeated runs that are of the same user as the run before", "Feitelson 2002, 2.1"},
    {"application.same_procs_fraction", "",
     "share of repeated runs on as many processors as the run before", "Feitelson 2002, 2.1"},
    {"application.runtime_cv_mean", "",
     "mean over executables of the coefficient of variation of their runtimes",
     "Feitelson 2002, 2.1"},
    {"popularity.user_exponent", "",
     "exponent b of jobs by rank of the user, count ~ 1/rank^b: 1 is Zipf's law",
     "Feitelson 2002, 4.1"},
    {"popularity.application_exponent", "", "the same of runs by rank of the executable",
     "Feitelson 2002, 4.1"},
    {0},
};

const struct loom_family_ops loom_family_usage = {
    .name = "usage",
    .keys = keys,
    .compute = usage_compute,
};
