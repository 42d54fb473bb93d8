/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of who is there: users and job sizes by the length of a window (survey, figure 7), and
 * jobs by week with the most active users (Zakay, chapter 3, figures 13 and 14).
 */
#include "base/civil.h"
#include "base/search.h"
#include "base/sort.h"
#include "report/figure.h"

#include <stdlib.h>
#include <string.h>

enum { WEEK_S = 7 * LOOM_DAY_S };

/* ---- windows --------------------------------------------------------------------------------- */

/* Items as numbers from 0 on; -1 is unknown. */
struct numbered {
    int32_t *of; /* by job */
    size_t different;
};

static int growth_number(struct numbered *out, const int32_t *items, size_t n, int32_t least,
                         struct loom_error *err)
{
    int64_t *sorted = malloc((n + 1) * sizeof *sorted);
    *out = (struct numbered){.of = malloc((n + 1) * sizeof *out->of)};
    if (!sorted || !out->of) {
        free(sorted);
        return loom_fail_memory(err);
    }
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (items[i] >= least)
            sorted[known++] = items[i];
    loom_sort_int64(sorted, known);
    for (size_t i = 0; i < known; i++)
        if (i == 0 || sorted[i] != sorted[i - 1])
            sorted[out->different++] = sorted[i];
    for (size_t i = 0; i < n; i++) {
        size_t at = loom_lower_bound(sorted, out->different, items[i]);
        out->of[i] = items[i] >= least ? (int32_t)at : -1;
    }
    free(sorted);
    return 0;
}

/* Mean number of different items in the whole windows of a length that follow each other; windows
 * counts them. seen has a place for each item. */
static double different_in(const struct loom_workload *jobs, const struct numbered *items,
                           int64_t length_s, int64_t *seen, int64_t *windows)
{
    double sum = 0;
    *windows = (jobs->span_s + 1) / length_s;
    for (size_t i = 0; i < items->different; i++)
        seen[i] = -1;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t window = (jobs->submit_s[i] - jobs->submit_s[0]) / length_s;
        int32_t item = items->of[i];
        if (window >= *windows || item < 0 || seen[item] == window)
            continue;
        seen[item] = window;
        sum++;
    }
    return sum / (double)*windows;
}

static void write_windows(struct loom_sheet *sheet, const struct loom_workload *jobs,
                          const struct numbered *users, const struct numbered *sizes, int64_t *seen)
{
    static const int64_t lengths_s[] = {3600,       3 * 3600,    12 * 3600,   LOOM_DAY_S,
                                        2 * 86400,  4 * 86400,   WEEK_S,      2 * WEEK_S,
                                        4 * WEEK_S, 13 * WEEK_S, 26 * WEEK_S, 52 * WEEK_S};
    enum { LENGTHS = sizeof lengths_s / sizeof *lengths_s };
    loom_sheet_block(sheet, NULL, "window_days,windows,users_mean,sizes_mean");
    for (int i = 0; i <= LENGTHS; i++) {
        int64_t length_s = i < LENGTHS ? lengths_s[i] : jobs->span_s + 1, windows;
        if (length_s > jobs->span_s + 1)
            continue;
        double active = different_in(jobs, users, length_s, seen, &windows);
        double different = different_in(jobs, sizes, length_s, seen, &windows);
        loom_sheet_record(sheet,
                          (const double[]){(double)length_s / LOOM_DAY_S, (double)windows, active,
                                           different},
                          4);
    }
}

static int growth(struct loom_sheet *sheet, const struct loom_subject *subject,
                  struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    struct numbered users = {0}, sizes = {0};
    if (jobs->n == 0 || jobs->span_s < 2 * LOOM_DAY_S)
        return loom_sheet_skip(sheet, "the log is shorter than two days");
    int rc = growth_number(&users, jobs->user, jobs->n, 0, err);
    if (!rc)
        rc = growth_number(&sizes, jobs->procs, jobs->n, 1, err);
    size_t most = users.different > sizes.different ? users.different : sizes.different;
    int64_t *seen = malloc((most + 1) * sizeof *seen);
    if (!rc && !seen)
        rc = loom_fail_memory(err);
    if (!rc)
        write_windows(sheet, jobs, &users, &sizes, seen);
    free(seen);
    free(users.of);
    free(sizes.of);
    return rc;
}

/* ---- the most active users by week ----------------------------------------------------------- */

enum { MOST_ACTIVE = 11, MOST_WEEKS = 5200 }; /* figure 14 marks eleven */

static size_t jobs_of(const struct loom_users *users, size_t user)
{
    return users->first[user + 1] - users->first[user];
}

/* The users with most jobs, descending; of equal ones the first. */
static size_t most_active(size_t out[MOST_ACTIVE], const struct loom_users *users)
{
    size_t n = 0;
    for (size_t u = 0; u < users->count; u++) {
        size_t at = n < MOST_ACTIVE ? n++ : n;
        while (at > 0 && jobs_of(users, u) > jobs_of(users, out[at - 1])) {
            if (at < MOST_ACTIVE)
                out[at] = out[at - 1];
            at--;
        }
        if (at < MOST_ACTIVE)
            out[at] = u;
    }
    return n;
}

static size_t week_of(const struct loom_users *users, int64_t submit_s)
{
    return (size_t)((submit_s - users->begin_s) / WEEK_S);
}

/* One block: jobs in each week, and how many are drawn below. What is written is taken out of
 * `rest`. */
static void write_user(struct loom_sheet *sheet, const struct loom_users *users, size_t user,
                       double *weeks, double *below, double *rest, size_t n)
{
    char series[LOOM_SERIES_SIZE];
    memset(weeks, 0, n * sizeof *weeks);
    for (size_t i = users->first[user]; i < users->first[user + 1]; i++)
        weeks[week_of(users, users->submit_s[i])]++;
    snprintf(series, sizeof series, "user %d", (int)users->number[user]);
    loom_sheet_block(sheet, series, "week,jobs,jobs_below");
    for (size_t w = 0; w < n; w++) {
        if (weeks[w] > 0)
            loom_sheet_row3(sheet, (double)w, weeks[w], below[w]);
        below[w] += weeks[w];
        rest[w] -= weeks[w];
    }
}

static int weekly(struct loom_sheet *sheet, const struct loom_subject *subject,
                  struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    size_t active[MOST_ACTIVE];
    if (jobs->n == 0 || jobs->span_s < 2 * WEEK_S)
        return loom_sheet_skip(sheet, "the log is shorter than two weeks");
    if (jobs->span_s / WEEK_S >= MOST_WEEKS)
        return loom_sheet_skip(sheet, "the submit times span centuries");
    if (subject->users->count == 0)
        return loom_sheet_skip(sheet, "no job has a user ID");
    size_t n = (size_t)(jobs->span_s / WEEK_S) + 1, users = most_active(active, subject->users);
    double *scratch = calloc(3 * n, sizeof *scratch);
    if (!scratch)
        return loom_fail_memory(err);
    double *weeks = scratch, *below = scratch + n, *rest = scratch + 2 * n;
    for (size_t i = 0; i < jobs->n; i++)
        rest[week_of(subject->users, jobs->submit_s[i])]++;
    for (size_t i = 0; i < users; i++)
        write_user(sheet, subject->users, active[i], weeks, below, rest, n);
    loom_sheet_block(sheet, "all others", NULL);
    for (size_t w = 0; w < n; w++)
        if (rest[w] > 0)
            loom_sheet_row3(sheet, (double)w, rest[w], below[w]);
    free(scratch);
    return 0;
}

const struct loom_figure_ops loom_figures_growth[] = {
    {.name = "window-growth",
     .section = "users",
     .title = "Users and job sizes by length of the window",
     .caption =
         "How many users are active, and how many different numbers of processors are asked for, "
         "in windows of the given length, on average over the windows that follow each other. "
         "Samples from one distribution would show all of them soon.",
     .data = growth,
     .script = "set logscale x\nset xtics ('1 h' 1./24, '3 h' 0.125, '12 h' 0.5, '1 d' 1, '4 d' 4, "
               "'2 w' 14, '8 w' 56, '6 mo' 182, '2 y' 730)\n"
               "set xlabel 'length of the window'\nset ylabel 'mean number in a window'\n"
               "set yrange [0:*]\nset key top left\n"
               "plot data using 1:3 with linespoints linestyle 1 title 'users', \\\n"
               "     '' using 1:4 with linespoints linestyle 2 title 'job sizes'\n"},
    {.name = "jobs-weekly-users",
     .section = "users",
     .title = "Jobs by week and the most active users",
     .caption = "Jobs in each week of the log. The eleven users with most jobs have colours of "
                "their own, most jobs at the bottom: a flurry of one user shows as one large "
                "stretch of colour.",
     .data = weekly,
     .width = 2,
     .height = 0.4,
     .script = "array colour[11] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', "
               "'#56B4E9', \\\n"
               "    '#7A4FBF', '#8C6D31', '#B2182B', '#4D9221', '#01665E']\n"
               "set xlabel 'week of the log'\nset ylabel 'jobs'\nset yrange [0:*]\n"
               "set xrange [-1:*]\nset style fill solid 1.0 noborder\nset key outside right\n"
               "set grid noxtics\nstats data using 1:2 nooutput\n"
               "last = STATS_blocks - 1\n"
               "plot data index last using 1:3:($1-0.45):($1+0.45):3:($2 + $3) with boxxyerror \\\n"
               "         linecolor rgb '#bbbbbb' title columnheader(2), \\\n"
               "     for [i=0:last-1] data index i using 1:3:($1-0.45):($1+0.45):3:($2 + $3) \\\n"
               "         with boxxyerror linecolor rgb colour[i+1] title columnheader(2)\n"},
    {.name = NULL},
};
