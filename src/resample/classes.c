/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classes of users by properties of their jobs, to weight the drawing of users (Zakay 2017, chapter
 * 3, section 6.5.4). Each class is the third of a log's users with the highest or lowest values of
 * a statistic over all their jobs.
 */
#include "base/sort.h"
#include "base/words.h"
#include "resample/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/stats.h>

/* ---- what users are like --------------------------------------------------------------------- */

typedef double job_value(const struct loom_jobs *jobs, uint32_t row);

static double runtime(const struct loom_jobs *jobs, uint32_t row)
{
    return jobs->run_s[row] >= 0 ? (double)jobs->run_s[row] : NAN;
}

static double processors(const struct loom_jobs *jobs, uint32_t row)
{
    int32_t procs = loom_job_procs(jobs, row);
    return procs > 0 ? (double)procs : (double)NAN;
}

static double work(const struct loom_jobs *jobs, uint32_t row)
{
    return runtime(jobs, row) * processors(jobs, row);
}

static double memory(const struct loom_jobs *jobs, uint32_t row)
{
    return jobs->used_mem_kib[row] >= 0 ? jobs->used_mem_kib[row] : NAN;
}

static double one(const struct loom_jobs *jobs, uint32_t row)
{
    (void)jobs;
    (void)row;
    return 1;
}

static const struct user_class {
    struct loom_user_class_info info;
    job_value *value;
    bool total; /* of the user's jobs; else their median */
    bool low;   /* the third with the lowest values */
} classes[] = {
    {{"long", "users with the longest jobs, by their median"}, runtime, false, false},
    {{"short", "users with the shortest jobs"}, runtime, false, true},
    {{"wide", "users with the jobs of most processors, by their median"}, processors, false, false},
    {{"narrow", "users with the jobs of fewest processors"}, processors, false, true},
    {{"heavy", "users with the most work in all"}, work, true, false},
    {{"light", "users with the least work in all"}, work, true, true},
    {{"busy", "users with the most jobs"}, one, true, false},
    {{"quiet", "users with the fewest jobs"}, one, true, true},
    {{"memory", "users with the jobs of most memory a processor, by their median"},
     memory,
     false,
     false},
};
enum { CLASSES = sizeof classes / sizeof *classes };

const struct loom_user_class_info *loom_user_class_at(size_t index)
{
    return index < CLASSES ? &classes[index].info : NULL;
}

static const struct user_class *find_class(const char *name)
{
    for (size_t i = 0; i < CLASSES; i++)
        if (strcmp(classes[i].info.name, name) == 0)
            return &classes[i];
    return NULL;
}

/* Return the statistic of a user, NAN if unknown. `scratch` has one value for each job of the
 * user. */
static double user_value(const struct loom_resample_log *source, const struct user_class *class,
                         size_t user, double *scratch)
{
    const struct loom_users *users = source->users;
    const struct loom_jobs *jobs = loom_trace_jobs(source->log);
    size_t n = 0;
    double sum = 0;
    for (uint32_t i = users->first[user]; i < users->first[user + 1]; i++) {
        double value = class->value(jobs, users->job[i]);
        if (!isnan(value)) {
            scratch[n++] = value;
            sum += value;
        }
    }
    if (n == 0 || class->total)
        return n ? sum : NAN;
    loom_sort_real(scratch, n);
    return (scratch[(n - 1) / 2] + scratch[n / 2]) / 2;
}

/* ---- weights --------------------------------------------------------------------------------- */

/* Return the known value that separates the third. */
static double limit_of(const double *values, size_t n, bool low, double *scratch)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            scratch[known++] = values[i];
    if (known == 0)
        return NAN;
    loom_sort_real(scratch, known);
    return low ? scratch[(known - 1) / 3] : scratch[known - 1 - (known - 1) / 3];
}

static int favour(double *weight, const struct loom_resample_log *source,
                  const struct loom_favour *favour, double *values, double *scratch,
                  struct loom_error *err)
{
    const struct user_class *class = find_class(favour->class_name);
    size_t n = source->users->count;
    if (!class) {
        const char *names[CLASSES + 1] = {0};
        for (size_t i = 0; i < CLASSES; i++)
            names[i] = classes[i].info.name;
        const char *nearest = loom_nearest(favour->class_name, names);
        return loom_fail(err, LOOM_EUSAGE, "there is no class of users '%.40s'%s%s%s",
                         favour->class_name, nearest ? "; did you mean '" : "",
                         nearest ? nearest : "", nearest ? "'?" : "");
    }
    for (size_t user = 0; user < n; user++)
        values[user] = user_value(source, class, user, scratch);
    double limit = limit_of(values, n, class->low, scratch);
    if (isnan(limit))
        return loom_fail(err, LOOM_EDATA, "the log has no values to find %s", class->info.meaning);
    for (size_t user = 0; user < n; user++)
        if (class->low ? values[user] <= limit : values[user] >= limit)
            weight[user] *= favour->weight;
    return 0;
}

int loom_favours_weigh(double **out, const struct loom_resample_log *source,
                       const struct loom_resample_rule *rule, struct loom_error *err)
{
    if (rule->n_favours == 0)
        return 0;
    size_t users = source->users->count, jobs = source->users->n;
    double *weight = malloc((users + 1) * sizeof *weight);
    double *values = malloc((users + 1) * sizeof *values);
    double *scratch = malloc((jobs + users + 1) * sizeof *scratch);
    int rc = weight && values && scratch ? 0 : loom_fail_memory(err);
    for (size_t user = 0; user < users && !rc; user++)
        weight[user] = 1;
    for (size_t i = 0; i < rule->n_favours && !rc; i++)
        rc = favour(weight, source, &rule->favours[i], values, scratch, err);
    free(values);
    free(scratch);
    if (rc)
        free(weight);
    else
        *out = weight;
    return rc;
}
