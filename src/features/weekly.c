/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simple predictor of Minh 2012, 7.4: the correlation of runtime and size in a week is
 * estimated by the mean of the correlations in the two weeks before, and the estimate is right if
 * both have the same sign.
 *
 * Weeks are counted from the first submission, jobs belong to the week of theirs, and correlations
 * are Spearman's, as in table 3.4. A week in which there is none (fewer than two jobs know both, or
 * all are equal) is not predicted, nor are the two after it. The last week counts though it is
 * rarely whole.
 */
#include "features/weekly.h"

#include <math.h>
#include <stdlib.h>
#include <workloom/stats.h>

enum { WEEK_S = 7 * 86400, BEFORE = 2 };

/* Jobs are in order of submission: the next that is in another week than job i, or n. */
static size_t end_of_week(const struct loom_workload *jobs, size_t i)
{
    int64_t first_s = jobs->submit_s[0], week = (jobs->submit_s[i] - first_s) / WEEK_S;
    while (i < jobs->n && (jobs->submit_s[i] - first_s) / WEEK_S == week)
        i++;
    return i;
}

static double correlation_of(const struct loom_workload *jobs, size_t from, size_t to, double *x,
                             double *y)
{
    struct loom_error ignored = {0};
    double spearman;
    size_t n = 0;
    for (size_t i = from; i < to; i++) {
        if (jobs->run_s[i] < 0 || jobs->procs[i] < 1)
            continue;
        x[n] = (double)jobs->run_s[i];
        y[n++] = jobs->procs[i];
    }
    return n >= 2 && !loom_spearman(&spearman, x, y, n, &ignored) ? spearman : (double)NAN;
}

/* What was predicted, and how often rightly. */
struct record {
    double weeks, right;
};

static void predict_week(struct record *record, const double before[BEFORE], double real)
{
    double estimate = (before[0] + before[1]) / BEFORE;
    if (isnan(estimate) || isnan(real))
        return;
    record->weeks++;
    record->right += (estimate > 0) == (real > 0);
}

static struct record go_through(const struct loom_workload *jobs, double *x, double *y)
{
    struct record record = {0};
    double before[BEFORE] = {NAN, NAN};
    int64_t last = -1;
    for (size_t from = 0, to; from < jobs->n; from = to) {
        int64_t week = (jobs->submit_s[from] - jobs->submit_s[0]) / WEEK_S;
        to = end_of_week(jobs, from);
        for (int64_t empty = last + 1; empty < week && empty <= last + BEFORE; empty++) {
            before[0] = before[1];
            before[1] = NAN;
        }
        double real = correlation_of(jobs, from, to, x, y);
        predict_week(&record, before, real);
        before[0] = before[1];
        before[1] = real;
        last = week;
    }
    return record;
}

int loom_put_weekly(struct loom_results *results, const struct loom_workload *jobs,
                    struct loom_error *err)
{
    double *x = malloc(2 * (jobs->n + 1) * sizeof *x);
    if (!x)
        return loom_fail_memory(err);
    struct record record = go_through(jobs, x, x + jobs->n + 1);
    free(x);
    loom_put(results, "corr.week.weeks", record.weeks);
    if (record.weeks > 0)
        loom_put(results, "corr.week.predicted", record.right / record.weeks);
    else
        loom_put_missing(results, "corr.week.predicted",
                         "no three weeks in a row have a correlation");
    return 0;
}
