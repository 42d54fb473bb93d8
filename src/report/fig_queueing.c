/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of queueing models: metrics against the parameter that was swept, or against each other
 * (Zakay 2017, chapter 6, figures 3 to 7), and runtimes after which users go on or leave (figure
 * 8). Exact values are lines; simulated ones are points with their intervals, on a line where there
 * is no exact one.
 */
#include "report/figure.h"
#include "report/queueing.h"
#include "report/report.h"

#include <stdio.h>

enum { MOST_CURVES = 7, MOST_RUNTIMES = 3 };

enum { BY_AXIS = -1 }; /* in place of a metric: the parameter swept */

/* What a figure shows. */
struct pair {
    int x;
    size_t y;
};

static const char *queueing_key(const struct loom_queueing_study *study, int x)
{
    return x == BY_AXIS ? study->axis.name : loom_queueing_metric_at((size_t)x)->key;
}

static const char *label_of(const struct loom_queueing_study *study, int x)
{
    return x == BY_AXIS ? study->axis.label : loom_queueing_metric_at((size_t)x)->label;
}

static double queueing_value_of(const struct loom_queueing_trial *trial, bool exact, size_t metric)
{
    return exact ? trial->exact[metric] : trial->result.metrics[metric].mean;
}

static void write_points(struct loom_sheet *sheet, const struct loom_queueing_study *study,
                         struct pair of, size_t curve, bool exact)
{
    for (size_t p = 0; p < study->points; p++) {
        const struct loom_queueing_trial *trial = &study->trials[curve * study->points + p];
        double x =
            of.x == BY_AXIS ? study->axis.values[p] : queueing_value_of(trial, exact, (size_t)of.x);
        double half = exact ? 0 : trial->result.metrics[of.y].half_width;
        loom_sheet_row3(sheet, x, queueing_value_of(trial, exact, of.y), isnan(half) ? 0 : half);
    }
}

static void write_block(struct loom_sheet *sheet, const struct loom_queueing_study *study,
                        struct pair of, size_t curve, bool exact)
{
    char series[LOOM_SERIES_SIZE], columns[160];
    const char *label = study->labels[curve], *kind = exact ? "exact" : "simulated";
    bool both =
        study->trials[curve * study->points].solve && study->trials[curve * study->points].simulate;
    if (both)
        snprintf(series, sizeof series, "%s%s%s", label, *label ? ", " : "", kind);
    else
        snprintf(series, sizeof series, "%s", *label ? label : kind);
    snprintf(columns, sizeof columns, "%s,%s,half_width", queueing_key(study, of.x),
             loom_queueing_metric_at(of.y)->key);
    loom_sheet_block(sheet, series, columns);
    write_points(sheet, study, of, curve, exact);
}

/* The settings `kinds` and `curves` have a letter and a number for each block: e exact, s
 * simulated, p simulated beside an exact one. */
static int draw_pair(struct loom_sheet *sheet, const struct loom_queueing_study *study,
                     struct pair of)
{
    char kinds[2 * MOST_CURVES + 1] = "", curves[2 * MOST_CURVES + 1] = "";
    size_t n = 0;
    if (!study->has_axis || study->points < 2)
        return loom_sheet_skip(sheet, "no parameter was swept");
    if (study->curves > MOST_CURVES)
        return loom_sheet_skip(sheet, "there are more than 7 curves");
    if (!loom_study_shows(study, of.y))
        return loom_sheet_skip(sheet, "the model has no such users");
    for (size_t c = 0; c < study->curves; c++) {
        const struct loom_queueing_trial *first = &study->trials[c * study->points];
        for (int exact = 1; exact >= 0; exact--) {
            if (exact ? !first->solve : !first->simulate)
                continue;
            write_block(sheet, study, of, c, exact);
            kinds[n] = exact ? 'e' : first->solve ? 'p' : 's';
            curves[n++] = (char)('1' + c);
        }
    }
    loom_sheet_set(sheet, "kinds = '%s'\ncurves = '%s'\n", kinds, curves);
    loom_sheet_set(sheet, "xname = '%s'\nyname = '%s'\n", label_of(study, of.x),
                   loom_queueing_metric_at(of.y)->label);
    return 0;
}

/* A function for each figure, since figures have no room for what they are about. */
#define FIGURE_OF(name, x_of, y_of)                                                    \
    static int name(struct loom_sheet *sheet, const struct loom_queueing_study *study, \
                    struct loom_error *err)                                            \
    {                                                                                  \
        (void)err;                                                                     \
        return draw_pair(sheet, study, (struct pair){x_of, y_of});                     \
    }

FIGURE_OF(throughput, BY_AXIS, LOOM_QUEUEING_THROUGHPUT)
FIGURE_OF(utilization, BY_AXIS, LOOM_QUEUEING_UTILIZATION)
FIGURE_OF(response, BY_AXIS, LOOM_QUEUEING_RESPONSE)
FIGURE_OF(wait, BY_AXIS, LOOM_QUEUEING_WAIT)
FIGURE_OF(length, BY_AXIS, LOOM_QUEUEING_LENGTH)
FIGURE_OF(jobs_per_user, BY_AXIS, LOOM_QUEUEING_JOBS_PER_USER)
FIGURE_OF(user_throughput, BY_AXIS, LOOM_QUEUEING_USER_THROUGHPUT)
FIGURE_OF(user_quotient, BY_AXIS, LOOM_QUEUEING_USER_QUOTIENT)
FIGURE_OF(closed_response, BY_AXIS, LOOM_QUEUEING_CLOSED_RESPONSE)
FIGURE_OF(open_response, BY_AXIS, LOOM_QUEUEING_OPEN_RESPONSE)
FIGURE_OF(closed_throughput, BY_AXIS, LOOM_QUEUEING_CLOSED_THROUGHPUT)
FIGURE_OF(response_throughput, LOOM_QUEUEING_THROUGHPUT, LOOM_QUEUEING_RESPONSE)
FIGURE_OF(closed_trade, LOOM_QUEUEING_THROUGHPUT, LOOM_QUEUEING_CLOSED_RESPONSE)
FIGURE_OF(user_response, LOOM_QUEUEING_RESPONSE, LOOM_QUEUEING_USER_THROUGHPUT)

#define CURVES                                                                             \
    "set xlabel xname\nset ylabel yname\nset yrange [0:*]\n"                               \
    "stats data using 1:2 nooutput name 'V'\nblocks = V_blocks\n"                          \
    "edge = 0.02 * (V_max_x - V_min_x)\nset xrange [V_min_x - edge:V_max_x + edge]\n"      \
    "kind(i) = kinds[i + 1:i + 1]\ncurve(i) = int(curves[i + 1:i + 1])\n"                  \
    "named = blocks > 1\nset key above center horizontal maxrows 4\n"                      \
    "if (!named) { unset key }\n"                                                          \
    "plot for [i=0:blocks-1] data index i using 1:(kind(i) eq 'p' ? NaN : $2) with lines " \
    "\\\n    linestyle curve(i) title (kind(i) eq 'e' ? columnheader(2) : ''), \\\n"       \
    "    for [i=0:blocks-1] data index i using 1:(kind(i) eq 'e' ? NaN : $2):3 \\\n"       \
    "    with yerrorbars linestyle curve(i) dashtype 1 linewidth 1 \\\n"                   \
    "    title (kind(i) eq 'e' || (kind(i) eq 'p' && blocks > 2) ? '' : columnheader(2))\n"

#define CURVE_FIGURE(id, part, heading, words, values)                                    \
    {                                                                                     \
        .name = id, .section = part, .title = heading, .caption = words, .study = values, \
        .script = CURVES                                                                  \
    }

const struct loom_figure_ops loom_figures_mixed[] = {
    CURVE_FIGURE("closed-response", "curves", "Response of closed users",
                 "Mean response of jobs of closed users (Zakay 2017, chapter 6, figure 3).",
                 closed_response),
    CURVE_FIGURE("throughput", "curves", "Throughput",
                 "Jobs of both classes per unit of time (Zakay 2017, chapter 6, figure 3).",
                 throughput),
    CURVE_FIGURE("response-throughput", "relations", "Response against throughput",
                 "Mean response of closed users at each throughput (Zakay 2017, chapter 6, figure "
                 "3).",
                 closed_trade),
    CURVE_FIGURE("closed-throughput", "curves", "Throughput of closed users",
                 "Jobs of closed users per unit of time.", closed_throughput),
    CURVE_FIGURE("open-response", "curves", "Response of open users",
                 "Mean response of jobs of open users, who arrive at random.", open_response),
    CURVE_FIGURE("jobs-per-user", "curves", "Jobs per user", "Mean number of jobs of an open user.",
                 jobs_per_user),
    {.name = NULL},
};

const struct loom_figure_ops loom_figures_reopen[] = {
    CURVE_FIGURE("throughput", "curves", "Throughput",
                 "Jobs per unit of time (Zakay 2017, chapter 6, figures 4, 5 and 7).", throughput),
    CURVE_FIGURE("utilization", "curves", "Utilization",
                 "Share of the servers that is busy (figures 4, 5 and 7).", utilization),
    CURVE_FIGURE("response", "curves", "Response", "Mean of wait and service.", response),
    CURVE_FIGURE("wait", "curves", "Wait", "Mean time before service (figures 4, 5 and 7).", wait),
    CURVE_FIGURE("queue", "curves", "Queue", "Mean number of waiting jobs (figures 4, 5 and 7).",
                 length),
    CURVE_FIGURE("jobs-per-user", "curves", "Jobs per user",
                 "Mean number of jobs of a user (figures 4, 5 and 7).", jobs_per_user),
    CURVE_FIGURE("user-throughput", "curves", "Throughput per user",
                 "Jobs of all users over the time that they are in the system, thinking included "
                 "(figures 4, 5 and 7).",
                 user_throughput),
    CURVE_FIGURE("response-throughput", "relations", "Response against throughput",
                 "Mean response at each throughput (figure 6).", response_throughput),
    CURVE_FIGURE("user-throughput-response", "relations", "Throughput per user against response",
                 "Throughput per user at each mean response (figure 6).", user_response),
    {.name = NULL},
};

const struct loom_figure_ops loom_figures_quotients[] = {
    CURVE_FIGURE(
        "user-quotients", "curves", "Throughput per user, mean of quotients",
        "Mean over users of jobs over time in the system. Its expectation is infinite unless p "
        "approaches 1 as the response falls to 0; it then rests on a few very short jobs.",
        user_quotient),
    {.name = NULL},
};

/* ---- runtimes -------------------------------------------------------------------------------- */

/* The share of jobs up to the end of each bin; the last bin, which is open, is left out. */
static void write_runtimes(struct loom_sheet *sheet, const char *label, const char *which,
                           const uint64_t *bins, double width)
{
    char series[LOOM_SERIES_SIZE];
    double total = 0, sum = 0;
    for (size_t i = 0; i < LOOM_QUEUEING_BINS; i++)
        total += (double)bins[i];
    snprintf(series, sizeof series, "%s%s%s", label, *label ? ", " : "", which);
    loom_sheet_block(sheet, series, "runtime,share");
    for (size_t i = 0; i + 1 < LOOM_QUEUEING_BINS && total > 0; i++) {
        sum += (double)bins[i];
        loom_sheet_row(sheet, (double)(i + 1) * width, sum / total);
    }
}

static const char *label_trial(char *buf, size_t size, const struct loom_queueing_study *study,
                               size_t index)
{
    const char *label = study->labels[index / study->points];
    if (study->has_axis)
        snprintf(buf, size, "%s%s%s = %g", label, *label ? ", " : "", study->axis.name,
                 study->axis.values[index % study->points]);
    else
        snprintf(buf, size, "%s", label);
    return buf;
}

static int queueing_runtimes(struct loom_sheet *sheet, const struct loom_queueing_study *study,
                             struct loom_error *err)
{
    size_t n = study->curves * study->points;
    char label[LOOM_SERIES_SIZE];
    (void)err;
    if (n > MOST_RUNTIMES)
        return loom_sheet_skip(sheet, "it is drawn for at most 3 models");
    for (size_t i = 0; i < n; i++) {
        const struct loom_queueing_runtimes *of = &study->trials[i].result.runtimes;
        if (!study->trials[i].simulate || study->trials[i].model.repeat.rule == LOOM_REPEAT_NEVER)
            return loom_sheet_skip(sheet, "no users who repeat were simulated");
        label_trial(label, 60, study, i);
        write_runtimes(sheet, label, "continue", of->continued, of->width);
        write_runtimes(sheet, label, "last", of->last, of->width);
    }
    return 0;
}

const struct loom_figure_ops loom_figures_runtimes[] = {
    {.name = "runtimes",
     .section = "runtimes",
     .title = "Runtimes before another job, and of last jobs",
     .caption = "Share of jobs with at most this runtime, for jobs after which the user submitted "
                "another one (continue) and jobs after which the user left (last) (Zakay 2017, "
                "chapter 6, figure 8).",
     .study = queueing_runtimes,
     .script = "set xlabel 'runtime'\nset ylabel 'share of jobs (%)'\nset yrange [0:100]\n"
               "set key above center horizontal maxrows 3\n"
               "stats data using 1:2 nooutput name 'V'\nset xrange [0:V_max_x / 2]\n"
               "curve(i) = 1 + int(i / 2)\ndashes(i) = 1 + 2 * (i % 2)\n"
               "plot for [i=0:V_blocks-1] data index i using 1:(100 * $2) with lines \\\n"
               "    linestyle curve(i) dashtype dashes(i) title columnheader(2)\n"},
    {.name = NULL},
};
