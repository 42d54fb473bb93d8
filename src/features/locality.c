/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locality: similarity of successive jobs (stack depth) and of jobs of the same day (the fullest of
 * 16 bins), by runtime, estimate and processors (Zakay, chapter 3, section 5.2).
 *
 * Here, processors are those that a job used: allocated if known, else requested. That is what the
 * text says, and what its table VI was made from.
 *
 * The bins are between the 15 values that split the jobs of the whole log into equal parts; a value
 * that is one of these belongs to the lowest bin it bounds. Values that are more frequent than a
 * bin is large leave the bins behind them empty. Days are days in the log's time zone, and those
 * without jobs do not count.
 */
#include "features/locality.h"
#include "base/civil.h"
#include "base/sort.h"
#include "features/family.h"
#include "features/stack.h"

#include <stdlib.h>
#include <string.h>
#include <workloom/stats.h>

enum { BINS = 16 };

/* One attribute of the jobs that know it, in order of submission. */
struct sample {
    int64_t *values;
    uint32_t *days;
    size_t n;
};

/* ---- bins ------------------------------------------------------------------------------------ */

/* edges[k] is the least value that at least (k + 1) / 16 of the sample do not exceed. */
static int find_edges(int64_t edges[BINS - 1], const struct sample *sample, struct loom_error *err)
{
    int64_t *sorted = malloc(sample->n * sizeof *sorted);
    if (!sorted)
        return loom_fail_memory(err);
    memcpy(sorted, sample->values, sample->n * sizeof *sorted);
    loom_sort_int64(sorted, sample->n);
    for (size_t k = 0; k < BINS - 1; k++)
        edges[k] = sorted[((k + 1) * sample->n + BINS - 1) / BINS - 1];
    free(sorted);
    return 0;
}

static size_t bin_of(const int64_t edges[BINS - 1], int64_t value)
{
    size_t bin = 0;
    while (bin < BINS - 1 && edges[bin] < value)
        bin++;
    return bin;
}

static double fullest_share(const size_t counts[BINS])
{
    size_t all = 0, most = 0;
    for (size_t bin = 0; bin < BINS; bin++) {
        all += counts[bin];
        most = counts[bin] > most ? counts[bin] : most;
    }
    return (double)most / (double)all;
}

/* The share of the day that begins at *i, which goes on to the next. */
static double next_day(size_t *i, const int64_t edges[BINS - 1], const struct sample *sample)
{
    size_t counts[BINS] = {0}, end;
    for (end = *i; end < sample->n && sample->days[end] == sample->days[*i]; end++)
        counts[bin_of(edges, sample->values[end])]++;
    *i = end;
    return fullest_share(counts);
}

static int concentration(double *mean, const struct sample *sample, struct loom_error *err)
{
    int64_t edges[BINS - 1] = {0};
    int rc = find_edges(edges, sample, err);
    if (rc)
        return rc;
    double sum = 0, days = 0;
    for (size_t i = 0; i < sample->n; days++)
        sum += next_day(&i, edges, sample);
    *mean = sum / days;
    return 0;
}

static int list_days(double **out, size_t *n, const struct sample *sample, struct loom_error *err)
{
    int64_t edges[BINS - 1] = {0};
    int rc = sample->n > 0 ? find_edges(edges, sample, err) : 0;
    if (rc)
        return rc;
    size_t days = sample->n > 0 ? sample->days[sample->n - 1] : 0;
    *out = malloc((days + 1) * sizeof **out);
    if (!*out)
        return loom_fail_memory(err);
    *n = 0;
    for (size_t i = 0; i < sample->n;)
        (*out)[(*n)++] = next_day(&i, edges, sample);
    return loom_sort(*out, *n, err);
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* By job: processors where known, else -1, and the day, where days with jobs are numbered. */
struct columns {
    int64_t *procs;
    uint32_t *days;
};

static int take_procs(struct columns *columns, const struct loom_workload *jobs,
                      struct loom_error *err)
{
    const struct loom_jobs *table = loom_trace_jobs(jobs->trace);
    uint32_t *rows = NULL;
    size_t n = 0;
    int rc = loom_trace_arrivals(&rows, &n, jobs->trace, err);
    for (size_t i = 0; !rc && i < n; i++) {
        int32_t used = table->alloc_procs[rows[i]];
        columns->procs[i] = used > 0 ? used : jobs->procs[i];
    }
    free(rows);
    return rc;
}

/* Clocks that are set back at midnight do not begin the day before again. */
static void take_days(struct columns *columns, const struct loom_workload *jobs)
{
    int64_t last = INT64_MIN;
    uint32_t number = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t second,
            day = loom_civil_day(loom_zone_local(jobs->zone, jobs->submit_s[i]), &second);
        if (day > last) {
            last = day;
            number++;
        }
        columns->days[i] = number;
    }
}

static void take_sample(struct sample *sample, const struct columns *columns, const int64_t *values,
                        int64_t least, size_t n)
{
    sample->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (values[i] < least)
            continue;
        sample->days[sample->n] = columns->days[i];
        sample->values[sample->n++] = values[i];
    }
}

/* ---- the family ------------------------------------------------------------------------------ */

struct attribute {
    const char *stack_key, *bins_key;
    enum loom_match match;
    int64_t least; /* what is below is not known */
    const char *reason;
};

enum { RUNTIME, ESTIMATE, PROCS, ATTRIBUTES };

static const struct attribute attributes[ATTRIBUTES] = {
    {"locality.stack.runtime", "locality.bins16.runtime", LOOM_MATCH_WITHIN_5_PERCENT, 0,
     "no job has a runtime"},
    {"locality.stack.estimate", "locality.bins16.estimate", LOOM_MATCH_WITHIN_5_PERCENT, 1,
     "no job has an estimate"},
    {"locality.stack.procs", "locality.bins16.procs", LOOM_MATCH_EQUAL, 1,
     "no job has a processor count"},
};

static int measure_locality(struct loom_results *results, const struct attribute *attribute,
                            const struct sample *sample, struct loom_error *err)
{
    if (sample->n == 0) {
        loom_put_missing(results, attribute->stack_key, attribute->reason);
        loom_put_missing(results, attribute->bins_key, attribute->reason);
        return 0;
    }
    double depth = 0, share = 0;
    int rc = loom_stack_depth(&depth, sample->values, sample->n, attribute->match, err);
    if (rc && rc != LOOM_EDATA)
        return rc;
    if (rc)
        loom_put_missing(results, attribute->stack_key, "no value comes twice");
    else
        loom_put(results, attribute->stack_key, depth);
    rc = concentration(&share, sample, err);
    if (!rc)
        loom_put(results, attribute->bins_key, share);
    return rc;
}

static int locality_measure(const struct loom_workload *jobs, struct loom_results *results,
                            struct columns *columns, struct sample *sample, struct loom_error *err)
{
    int rc = take_procs(columns, jobs, err);
    if (rc)
        return rc;
    take_days(columns, jobs);
    const int64_t *values[ATTRIBUTES] = {
        [RUNTIME] = jobs->run_s, [ESTIMATE] = jobs->request_s, [PROCS] = columns->procs};
    for (size_t a = 0; a < ATTRIBUTES && !rc; a++) {
        take_sample(sample, columns, values[a], attributes[a].least, jobs->n);
        rc = measure_locality(results, &attributes[a], sample, err);
    }
    return rc;
}

static int locality_compute(const struct loom_workload *jobs, struct loom_results *results,
                            struct loom_error *err)
{
    size_t n = jobs->n + 1;
    struct columns columns = {.procs = malloc(n * sizeof *columns.procs),
                              .days = malloc(n * sizeof *columns.days)};
    struct sample sample = {.values = malloc(n * sizeof *sample.values),
                            .days = malloc(n * sizeof *sample.days)};
    int rc = LOOM_ENOMEM;
    if (columns.procs && columns.days && sample.values && sample.days)
        rc = locality_measure(jobs, results, &columns, &sample, err);
    else
        loom_fail_memory(err);
    free(columns.procs);
    free(columns.days);
    free(sample.values);
    free(sample.days);
    return rc;
}

int loom_locality_days(double **out, size_t *n, const struct loom_workload *jobs,
                       struct loom_error *err)
{
    struct columns columns = {.days = malloc((jobs->n + 1) * sizeof *columns.days)};
    struct sample sample = {.values = malloc((jobs->n + 1) * sizeof *sample.values),
                            .days = malloc((jobs->n + 1) * sizeof *sample.days)};
    int rc = columns.days && sample.values && sample.days ? 0 : loom_fail_memory(err);
    if (!rc) {
        take_days(&columns, jobs);
        take_sample(&sample, &columns, jobs->run_s, attributes[RUNTIME].least, jobs->n);
        rc = list_days(out, n, &sample, err);
    }
    free(columns.days);
    free(sample.values);
    free(sample.days);
    return rc;
}

static const struct loom_feature_info keys[] = {
    {"locality.stack.runtime", "entries",
     "mean depth at which a job's runtime is found, within 5 %, in a stack of those before; a new "
     "value "
     "counts the whole stack",
     "Zakay 2017, ch. 3, 5.2"},
    {"locality.stack.estimate", "entries",
     "mean depth at which a job's estimate is found, within 5 %, in a stack of those before; a new "
     "value "
     "counts the whole stack",
     "Zakay 2017, ch. 3, 5.2"},
    {"locality.stack.procs", "entries",
     "mean depth at which a job's number of processors is found in a stack of those before; a new "
     "value "
     "counts the whole stack",
     "Zakay 2017, ch. 3, 5.2"},
    {"locality.bins16.runtime", "",
     "mean over days of the share of jobs in the fullest of 16 equal-weight bins of runtime",
     "Zakay 2017, ch. 3, 5.2"},
    {"locality.bins16.estimate", "",
     "mean over days of the share of jobs in the fullest of 16 equal-weight bins of estimates",
     "Zakay 2017, ch. 3, 5.2"},
    {"locality.bins16.procs", "",
     "mean over days of the share of jobs in the fullest of 16 equal-weight bins of processors",
     "Zakay 2017, ch. 3, 5.2"},
    {0},
};

const struct loom_family_ops loom_family_locality = {
    .name = "locality",
    .keys = keys,
    .compute = locality_compute,
};
