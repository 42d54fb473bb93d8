/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of sessions by method, threshold and cut (Zakay, chapter 2, sections 5 to 7).
 *
 * Histograms have bins of a minute, which gives counts of the order of figure 9, and leave out
 * sessions of up to two minutes, as the text does; what is above 1000 minutes is in the survival
 * functions.
 */
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>

enum { MINUTE_S = 60, LEAST_MINUTES = 2, MOST_MINUTES = 1000, LONG_S = 1000 * MINUTE_S };

static const int thresholds_min[] = {10, 20, 60};
static const int cuts_min[] = {30, 60, 120};
enum { THRESHOLDS = 3, CUTS = 3 };

static bool cuts(enum loom_session_method method)
{
    return method == LOOM_SESSION_LAST_CUT || method == LOOM_SESSION_MAX_CUT;
}

/* Skips where there are no sessions of a method. */
static bool has_sessions(struct loom_sheet *sheet, const struct loom_subject *subject, bool ends)
{
    const struct loom_workload *jobs = &subject->jobs;
    bool waits = !ends;
    for (size_t i = 0; i < jobs->n && !waits; i++)
        waits = jobs->wait_s[i] >= 0;
    if (jobs->n == 0)
        loom_sheet_skip(sheet, "there are no jobs");
    else if (subject->users->n == 0)
        loom_sheet_skip(sheet, "no job has a user ID");
    else if (!waits)
        loom_sheet_skip(sheet, "no job has a recorded wait, so end times are unknown");
    return !sheet->reason;
}

/* ---- histograms ------------------------------------------------------------------------------ */

static int write_histogram(struct loom_sheet *sheet, const char *series,
                           const struct loom_users *users, const struct loom_session_rule *rule,
                           struct loom_error *err)
{
    struct loom_sessions *sessions = NULL;
    double counts[MOST_MINUTES] = {0};
    int rc = loom_sessions_create(&sessions, users, rule, err);
    for (size_t i = 0; !rc && i < sessions->count; i++) {
        int64_t minute = sessions->length_s[i] / MINUTE_S;
        if (sessions->length_s[i] > LEAST_MINUTES * MINUTE_S && minute < MOST_MINUTES)
            counts[minute]++;
    }
    loom_sheet_block(sheet, series, "length_min,sessions");
    for (int i = LEAST_MINUTES; !rc && i < MOST_MINUTES; i++)
        if (counts[i] > 0)
            loom_sheet_row(sheet, i, counts[i]);
    loom_sessions_destroy(sessions);
    return rc;
}

static int by_threshold(struct loom_sheet *sheet, const struct loom_subject *subject,
                        enum loom_session_method method, struct loom_error *err)
{
    int rc = 0;
    char series[LOOM_SERIES_SIZE];
    if (!has_sessions(sheet, subject, method != LOOM_SESSION_ARRIVAL))
        return 0;
    for (int t = 0; t < THRESHOLDS && !rc; t++) {
        struct loom_session_rule rule = loom_session_rule(method);
        rule.threshold_s = thresholds_min[t] * MINUTE_S;
        snprintf(series, sizeof series, "%d min", thresholds_min[t]);
        rc = write_histogram(sheet, series, subject->users, &rule, err);
    }
    return rc;
}

static int by_arrival(struct loom_sheet *sheet, const struct loom_subject *subject,
                      struct loom_error *err)
{
    return by_threshold(sheet, subject, LOOM_SESSION_ARRIVAL, err);
}

static int by_last(struct loom_sheet *sheet, const struct loom_subject *subject,
                   struct loom_error *err)
{
    return by_threshold(sheet, subject, LOOM_SESSION_LAST, err);
}

static int by_max(struct loom_sheet *sheet, const struct loom_subject *subject,
                  struct loom_error *err)
{
    return by_threshold(sheet, subject, LOOM_SESSION_MAX, err);
}

static const char *cut_name(enum loom_session_method method)
{
    return method == LOOM_SESSION_LAST_CUT ? "last" : "max";
}

static int by_cut(struct loom_sheet *sheet, const struct loom_subject *subject,
                  struct loom_error *err)
{
    static const enum loom_session_method methods[] = {LOOM_SESSION_LAST_CUT, LOOM_SESSION_MAX_CUT};
    int rc = 0;
    char series[LOOM_SERIES_SIZE];
    if (!has_sessions(sheet, subject, true))
        return 0;
    for (int m = 0; m < 2; m++)
        for (int c = 0; c < CUTS && !rc; c++) {
            struct loom_session_rule rule =
                loom_definitions_rule(&subject->definitions, methods[m]);
            rule.cut_s = cuts_min[c] * MINUTE_S;
            snprintf(series, sizeof series, "%s, cut at %d min", cut_name(methods[m]), cuts_min[c]);
            rc = write_histogram(sheet, series, subject->users, &rule, err);
        }
    return rc;
}

/* ---- survival functions ---------------------------------------------------------------------- */

static int write_survival(struct loom_sheet *sheet, const char *series,
                          const struct loom_users *users, const struct loom_session_rule *rule,
                          struct loom_error *err)
{
    struct loom_sessions *sessions = NULL;
    int rc = loom_sessions_create(&sessions, users, rule, err);
    if (rc)
        return rc;
    double *lengths_s = malloc((sessions->count + 1) * sizeof *lengths_s);
    for (size_t i = 0; lengths_s && i < sessions->count; i++)
        lengths_s[i] = (double)sessions->length_s[i];
    rc = lengths_s ? loom_sort(lengths_s, sessions->count, err) : loom_fail_memory(err);
    if (!rc)
        loom_curve_cdf(sheet, series, "length_s", lengths_s, sessions->count, 1, true);
    free(lengths_s);
    loom_sessions_destroy(sessions);
    return rc;
}

static int survival(struct loom_sheet *sheet, const struct loom_subject *subject,
                    struct loom_error *err)
{
    int rc = 0;
    char series[LOOM_SERIES_SIZE];
    if (!has_sessions(sheet, subject, true))
        return 0;
    for (int m = 0; m < LOOM_SESSION_METHODS; m++) {
        enum loom_session_method method = (enum loom_session_method)m;
        struct loom_session_rule rule = loom_definitions_rule(&subject->definitions, method);
        for (int c = 0; c < (cuts(method) ? CUTS : 1) && !rc; c++) {
            snprintf(series, sizeof series, "%s", loom_session_method_name(method));
            if (cuts(method)) {
                rule.cut_s = cuts_min[c] * MINUTE_S;
                snprintf(series, sizeof series, "%s, cut at %d min", cut_name(method), cuts_min[c]);
            }
            rc = write_survival(sheet, series, subject->users, &rule, err);
        }
    }
    return rc || sheet->rows > 0 ? rc : loom_sheet_skip(sheet, "sessions do not differ in length");
}

/* ---- all rules in one table ------------------------------------------------------------------ */

static int write_rule(struct loom_sheet *sheet, const struct loom_users *users,
                      const struct loom_session_rule *rule, struct loom_error *err)
{
    struct loom_sessions *sessions = NULL;
    int rc = loom_sessions_create(&sessions, users, rule, err);
    if (rc)
        return rc;
    double n = (double)sessions->count, sum_s = 0, longest_s = 0, longer = 0, single = 0;
    for (size_t i = 0; i < sessions->count; i++) {
        double length_s = (double)sessions->length_s[i];
        sum_s += length_s;
        longer += length_s > LONG_S;
        longest_s = fmax(longest_s, length_s);
        single += sessions->first[i + 1] - sessions->first[i] == 1;
    }
    const double values[] = {(double)rule->threshold_s / MINUTE_S,
                             cuts(rule->method) ? (double)rule->cut_s / MINUTE_S : NAN,
                             n,
                             (double)sessions->batches,
                             (double)users->n / n,
                             single / n,
                             sum_s / n,
                             longest_s,
                             longer / n};
    loom_sheet_block(sheet, loom_session_method_name(rule->method),
                     "threshold_min,cut_min,sessions,batches,jobs_mean,single_job_fraction,"
                     "length_mean_s,length_max_s,longer_1000_min");
    loom_sheet_record(sheet, values, sizeof values / sizeof *values);
    loom_sessions_destroy(sessions);
    return 0;
}

static int write_cuts(struct loom_sheet *sheet, const struct loom_users *users,
                      struct loom_session_rule rule, struct loom_error *err)
{
    int rc = 0;
    for (int c = 0; c < CUTS && !rc; c++) {
        rule.cut_s = cuts_min[c] * MINUTE_S;
        rc = write_rule(sheet, users, &rule, err);
    }
    return rc;
}

/* The combinations of the text; the rule that was asked for comes first where it is another. */
static int rules(struct loom_sheet *sheet, const struct loom_subject *subject,
                 struct loom_error *err)
{
    const struct loom_definitions *own = &subject->definitions;
    bool waits = false, other = own->session_gap_s > 0 || own->session_cut_s > 0;
    for (size_t i = 0; i < subject->jobs.n && !waits; i++)
        waits = subject->jobs.wait_s[i] >= 0;
    if (!has_sessions(sheet, subject, false))
        return 0;
    struct loom_session_rule asked = loom_definitions_rule(own, own->session_method);
    int rc = other ? write_rule(sheet, subject->users, &asked, err) : 0;
    for (int m = 0; m < (waits ? (int)LOOM_SESSION_METHODS : 1); m++)
        for (int t = 0; t < THRESHOLDS && !rc; t++) {
            struct loom_session_rule rule = loom_session_rule((enum loom_session_method)m);
            rule.threshold_s = thresholds_min[t] * MINUTE_S;
            rc = cuts(rule.method) ? write_cuts(sheet, subject->users, rule, err)
                                   : write_rule(sheet, subject->users, &rule, err);
        }
    return rc;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* A block with the distribution of how many entries runs have: run i is first[i] .. first[i+1]-1.
 */
static int write_sizes(struct loom_sheet *sheet, const char *series, const uint32_t *first,
                       size_t count, struct loom_error *err)
{
    double *sizes = malloc((count + 1) * sizeof *sizes);
    if (!sizes)
        return loom_fail_memory(err);
    for (size_t i = 0; i < count; i++)
        sizes[i] = first[i + 1] - first[i];
    int rc = loom_sort(sizes, count, err);
    if (!rc)
        loom_curve_cdf(sheet, series, "number", sizes, count, 1, false);
    free(sizes);
    return rc;
}

static int session_sizes(struct loom_sheet *sheet, const struct loom_subject *subject,
                         struct loom_error *err)
{
    const struct loom_definitions *own = &subject->definitions;
    struct loom_session_rule rule = loom_definitions_rule(own, own->session_method);
    struct loom_sessions *sessions = NULL;
    if (!has_sessions(sheet, subject, true))
        return 0;
    int rc = loom_sessions_create(&sessions, subject->users, &rule, err);
    if (rc)
        return rc;
    rc = write_sizes(sheet, "jobs in a batch", sessions->batch_first, sessions->batches, err);
    if (!rc)
        rc =
            write_sizes(sheet, "batches in a session", sessions->first_batch, sessions->count, err);
    if (!rc)
        rc = write_sizes(sheet, "jobs in a session", sessions->first, sessions->count, err);
    loom_sessions_destroy(sessions);
    return rc;
}

#define LENGTH_X "set logscale x\nset xrange [1.8:1000]\nset xlabel 'length of the session (min)'\n"
#define HISTOGRAM(dots)                                                                         \
    LENGTH_X "set ylabel 'sessions'\nset yrange [0:*]\nset key top right\n"                     \
             "do for [m in '10 20 60'] {\n"                                                     \
             "    set arrow from m, graph 0 to m, graph 1 nohead linestyle 9\n}\n"              \
             "plot for [i=0:2] data index i using 1:2 with " dots " linestyle i+1 linewidth 1 " \
             "title 'threshold '.columnheader(2)\n"

const struct loom_figure_ops loom_figures_sessions[] = {
    {.name = "session-histogram-arrival",
     .section = "users",
     .title = "Lengths of sessions by arrivals",
     .caption =
         "Sessions by length in whole minutes, from two minutes on, where a session ends after 10, "
         "20 or 60 minutes without a submission. A drop at the threshold (lines) is an artifact of "
         "the method; the longer the threshold, the smaller it is.",
     .data = by_arrival,
     .script = HISTOGRAM("points")},
    {.name = "session-histogram-last",
     .section = "users",
     .title = "Lengths of sessions by the last job",
     .caption = "The same where a session ends 10, 20 or 60 minutes after the end of the job "
                "submitted last.",
     .data = by_last,
     .script = HISTOGRAM("points")},
    {.name = "session-histogram-max",
     .section = "users",
     .title = "Lengths of sessions by all jobs",
     .caption =
         "The same where a session ends 10, 20 or 60 minutes after the end of all of its jobs.",
     .data = by_max,
     .script = HISTOGRAM("points")},
    {.name = "session-histogram-cut",
     .section = "users",
     .title = "Lengths of sessions with a cut",
     .caption =
         "The same where no job counts as longer than 30, 60 or 120 minutes (lines): sessions of "
         "one long job get just that length, an artifact of the method.",
     .data = by_cut,
     .script = LENGTH_X
     "set logscale y\nset ylabel 'sessions'\nset yrange [0.8:*]\nset key top right\n"
     "do for [m in '30 60 120'] {\n"
     "    set arrow from m, graph 0 to m, graph 1 nohead linestyle 9\n}\n"
     "plot for [i=0:5] data index i using 1:2 with points linestyle i+1 title columnheader(2)\n"},
    {.name = "session-lengths-cut",
     .section = "users",
     .title = "Lengths of sessions by method and cut",
     .caption =
         "Share of sessions that last longer than the given time, with both axes logarithmic, by "
         "all methods, with cuts at 30, 60 and 120 minutes.",
     .data = survival,
     .script = LOOM_TIME_X LOOM_LOG_Y
     "set xrange [60:*]\nset xlabel 'length of the session'\nset ylabel 'P(X > x)'\n"
     "set key bottom left\nstats data using 1:2 nooutput\n"
     "plot for [i=0:STATS_blocks-1] data index i using 1:2 with lines \\\n"
     "         linestyle (i < 6 ? i + 1 : i - 2) linewidth (i < 6 ? 1.8 : 0.9) \\\n"
     "         title columnheader(2)\n"},
    {.name = "session-sizes",
     .section = "users",
     .title = "Sizes of batches and sessions",
     .caption =
         "Share of batches of at most so many jobs, and of sessions of at most so many batches and "
         "jobs. The curves start at the share that have one only.",
     .data = session_sizes,
     .script = LOOM_LOG_X "set xlabel 'number'\nset ylabel 'P(X ≤ x)'\nset yrange [*:1]\n"
                          "set key bottom right\n"
                          "plot for [i=0:2] data index i using 1:2 with steps linestyle i+1 \\\n"
                          "         linewidth wide(i, 3) title columnheader(2)\n"},
    {.name = "session-rules",
     .section = "users",
     .title = "Sessions by method, threshold and cut",
     .caption =
         "Number of sessions and batches, jobs in a session, share of sessions of one job, mean "
         "and longest session, and share of sessions longer than 1000 minutes.",
     .data = rules},
    {.name = NULL},
};
