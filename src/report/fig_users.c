/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of users, their sessions and their estimates. */
#include "base/civil.h"
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>
#include <workloom/users.h>

/* ---- sessions -------------------------------------------------------------------------------- */

static int write_method(struct loom_sheet *sheet, const struct loom_subject *subject,
                        enum loom_session_method method, struct loom_error *err)
{
    static const char *const series[LOOM_SESSION_METHODS] = {
        [LOOM_SESSION_ARRIVAL] = "arrival",  [LOOM_SESSION_LAST] = "last",
        [LOOM_SESSION_MAX] = "max",          [LOOM_SESSION_LAST_CUT] = "last, cut",
        [LOOM_SESSION_MAX_CUT] = "max, cut",
    };
    struct loom_session_rule rule = loom_definitions_rule(&subject->definitions, method);
    struct loom_sessions *sessions = NULL;
    int rc = loom_sessions_create(&sessions, subject->users, &rule, err);
    if (rc)
        return rc;
    double *lengths = malloc((sessions->count + 1) * sizeof *lengths);
    if (!lengths)
        rc = loom_fail_memory(err);
    for (size_t i = 0; !rc && i < sessions->count; i++)
        lengths[i] = (double)sessions->length_s[i];
    if (!rc)
        rc = loom_sort(lengths, sessions->count, err);
    if (!rc)
        loom_curve_cdf(sheet, series[method], "length_s", lengths, sessions->count, 1, true);
    free(lengths);
    loom_sessions_destroy(sessions);
    return rc;
}

static int session_lengths(struct loom_sheet *sheet, const struct loom_subject *subject,
                           struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    if (jobs->n == 0)
        return loom_sheet_skip(sheet, "there are no jobs");
    if (subject->users->n == 0)
        return loom_sheet_skip(sheet, "no job has a user ID");
    bool waits = false;
    int rc = 0;
    for (size_t i = 0; i < jobs->n && !waits; i++)
        waits = jobs->wait_s[i] >= 0;
    /* Where no job has a recorded wait, only what goes by arrivals alone means anything. */
    for (int method = 0; method < LOOM_SESSION_METHODS && !rc; method++)
        if (waits || method == LOOM_SESSION_ARRIVAL)
            rc = write_method(sheet, subject, (enum loom_session_method)method, err);
    return rc || sheet->rows > 0 ? rc : loom_sheet_skip(sheet, "sessions do not differ in length");
}

/* ---- users over time ------------------------------------------------------------------------- */

enum { WEEK_S = 7 * LOOM_DAY_S, MOST_WEEKS = 5200 };

struct weeks {
    double *active, *fresh;
    size_t n, per_point;
};

static void count_users(struct weeks *weeks, const struct loom_users *users)
{
    for (size_t u = 0; u < users->count; u++) {
        size_t last = SIZE_MAX;
        for (size_t i = users->first[u]; i < users->first[u + 1]; i++) {
            size_t week = (size_t)((users->submit_s[i] - users->begin_s) / WEEK_S);
            if (last == SIZE_MAX)
                weeks->fresh[week]++;
            if (week != last)
                weeks->active[week]++;
            last = week;
        }
    }
}

static int users_weekly(struct loom_sheet *sheet, const struct loom_subject *subject,
                        struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    if (jobs->n == 0 || jobs->span_s < 2 * WEEK_S)
        return loom_sheet_skip(sheet, "the log is shorter than two weeks");
    if (jobs->span_s / WEEK_S >= MOST_WEEKS)
        return loom_sheet_skip(sheet, "the submit times span centuries");
    if (subject->users->count == 0)
        return loom_sheet_skip(sheet, "no job has a user ID");
    struct weeks weeks = {.n = (size_t)(jobs->span_s / WEEK_S) + 1};
    weeks.active = calloc(2 * weeks.n, sizeof *weeks.active);
    if (!weeks.active)
        return loom_fail_memory(err);
    weeks.fresh = weeks.active + weeks.n;
    count_users(&weeks, subject->users);
    loom_sheet_block(sheet, NULL, "week,active_users,new_users");
    for (size_t i = 0; i < weeks.n; i++)
        loom_sheet_row3(sheet, (double)i, weeks.active[i], weeks.fresh[i]);
    free(weeks.active);
    return 0;
}

/* ---- estimates ------------------------------------------------------------------------------- */

enum { RATIO_BINS = 50 };

/* A job that ends at its estimate is in the last bin below 1, and has not overrun. */
static size_t ratio_bin(double ratio)
{
    if (ratio <= 0)
        return 0;
    return ratio > 1.1 ? RATIO_BINS + 5
                       : (size_t)fmin(ceil(ratio * RATIO_BINS) - 1, RATIO_BINS + 4);
}

/* Runtime over estimate, as the share of jobs in fiftieths; what is above 1 overran. */
static int estimate_ratio(struct loom_sheet *sheet, const struct loom_subject *subject,
                          struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    double counts[RATIO_BINS + 6] = {0}, n = 0;
    (void)err;
    for (size_t i = 0; i < jobs->n; i++) {
        if (jobs->run_s[i] < 0 || jobs->request_s[i] <= 0)
            continue;
        double ratio = (double)jobs->run_s[i] / (double)jobs->request_s[i];
        counts[ratio_bin(ratio)]++;
        n++;
    }
    if (n < 1)
        return loom_sheet_skip(sheet, "no job knows runtime and estimate");
    loom_sheet_block(sheet, NULL, "runtime_over_estimate,share");
    for (int i = 0; i < RATIO_BINS + 6; i++)
        loom_sheet_row(sheet, (i + 0.5) / RATIO_BINS, counts[i] / n);
    return 0;
}

const struct loom_figure_ops loom_figures_users[] = {
    {.name = "users-weekly",
     .section = "users",
     .title = "Users over time",
     .caption =
         "Users who submit jobs in each week of the log, and those of them who were not seen "
         "before. In the first weeks all are new to the log, but need not be to the machine.",
     .data = users_weekly,
     .script = "set xlabel 'week of the log'\nset ylabel 'users'\nset yrange [0:*]\n"
               "set xrange [0:*]\nset key above\n"
               "plot data using 1:2 with steps linestyle 1 title 'active', \\\n"
               "     '' using 1:3 with boxes linecolor rgb '#D55E00' title 'new'\n"},
    {.name = "session-lengths",
     .section = "users",
     .title = "Lengths of sessions",
     .caption =
         "Share of sessions that last longer than the given time, by the five ways to tell where "
         "a session ends, with both axes logarithmic: an hour without submissions (arrival), or 20 "
         "minutes after the end of the job submitted last (last) or of all jobs (max). Cut, no job "
         "counts for more than an hour. Other thresholds and cuts hold where they were asked for.",
     .data = session_lengths,
     .script = LOOM_TIME_X LOOM_LOG_Y
     "set xrange [1:*]\nset xlabel 'length of the session'\nset ylabel 'P(X > x)'\n"
     "set key bottom left\nstats data using 1:2 nooutput\n"
     "plot for [i=0:STATS_blocks-1] data index i using 1:2 with lines linestyle i+1 \\\n"
     "         linewidth wide(i, STATS_blocks) title columnheader(2)\n"},
    {.name = "estimate-ratio",
     .section = "estimates",
     .title = "How much of the estimate is used",
     .caption =
         "Share of jobs by runtime over estimate. On the left are jobs that ended early, to the "
         "right of 1 those that ran longer than estimated (the last bar is all above 1.1).",
     .data = estimate_ratio,
     .script = "set xlabel 'runtime / estimate'\nset ylabel 'share of jobs (%)'\n"
               "set xrange [0:1.13]\nset yrange [0:*]\nset boxwidth 0.016\n"
               "set arrow from 1, graph 0 to 1, graph 1 nohead linestyle 9\n"
               "plot data using 1:(100 * $2) with boxes linecolor rgb '#0072B2' notitle\n"},
    {.name = NULL},
};
