/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of simulations: how long jobs waited, how the queue and the machine fared over time, and
 * how service suffers as the load grows (Minh 2012, figure 5.3).
 */
#include "report/runs.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- what figures share ---------------------------------------------------------------------- */

size_t loom_runs_end(const struct loom_runs *runs, size_t at)
{
    size_t end = at;
    while (end < runs->n && strcmp(runs->of[end]->policy, runs->of[at]->policy) == 0)
        end++;
    return end;
}

struct loom_runs loom_runs_of(const struct loom_outcome *const *of, size_t n)
{
    struct loom_runs runs = {.of = of, .n = n};
    for (size_t i = 0, end; i < n; i = end) {
        end = loom_runs_end(&runs, i);
        runs.n_loads = end - i > runs.n_loads ? end - i : runs.n_loads;
        runs.n_policies++;
    }
    return runs;
}

/* Policies are written in letters, digits and what stands between a parameter and its value. */
const char *loom_plain_label(const char *text, char *buf, size_t size)
{
    snprintf(buf, size, "%s", text);
    for (char *c = buf; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr(" .,:=+-", *c))
            *c = ' ';
    return buf;
}

/* Start the block of a run, named by its policy. */
static void open_block(struct loom_sheet *sheet, const struct loom_outcome *run,
                       const char *columns)
{
    char label[61];
    loom_sheet_block(sheet, loom_plain_label(run->policy, label, sizeof label), columns);
}

const struct loom_metric *loom_metric_set(struct loom_sheet *sheet, const char *key)
{
    const struct loom_metric *metric = loom_metric_find(key);
    const char *whose = strstr(metric->label, ": ");
    bool time = strcmp(metric->unit, "s") == 0, share = strcmp(metric->unit, "share") == 0;
    loom_sheet_set(sheet, "metric = '%s%s'\nscale = %s\n", whose ? whose + 2 : metric->label,
                   time    ? " (h)"
                   : share ? " (%)"
                           : "",
                   time    ? "1 / 3600."
                   : share ? "100"
                           : "1");
    return metric;
}

static bool too_many(struct loom_sheet *sheet, const struct loom_runs *runs)
{
    if (runs->n_policies <= LOOM_RUNS_SHOWN)
        return false;
    loom_sheet_skip(sheet, "there are more than seven policies");
    return true;
}

struct loom_unit loom_unit_set(struct loom_sheet *sheet, int64_t length_s, size_t n_runs)
{
    static const struct loom_unit units[] = {{"seconds", 1},
                                             {"minutes", 60},
                                             {"hours", 3600},
                                             {"days", 86400}};
    size_t i = 0;
    while (i < 3 && (double)length_s > 3 * units[i + 1].length_s)
        i++;
    loom_sheet_set(sheet, "unit = '%s'\nunit_s = %g\nruns = %zu\n", units[i].name,
                   units[i].length_s, n_runs);
    return units[i];
}

/* ---- service --------------------------------------------------------------------------------- */

/* Curves from `least` on, which at least one job of some run must exceed. */
static int curves(struct loom_sheet *sheet, const struct loom_runs *runs, bool slowdowns,
                  const char *x, double least, const char *reason)
{
    bool any = false;
    for (size_t i = 0; i < runs->n; i++) {
        const struct loom_outcome *outcome = runs->of[i];
        const double *points =
            slowdowns ? outcome->curves->bounded_slowdown : outcome->curves->wait_s;
        any = any || points[outcome->curves->n - 1] > least;
    }
    if (!any)
        return loom_sheet_skip(sheet, reason);
    for (size_t i = 0; i < runs->n && !too_many(sheet, runs); i++) {
        const struct loom_outcome *outcome = runs->of[i];
        char label[61];
        const double *points =
            slowdowns ? outcome->curves->bounded_slowdown : outcome->curves->wait_s;
        loom_curve_cdf(sheet, loom_plain_label(outcome->policy, label, sizeof label), x, points,
                       outcome->curves->n, least, false);
        /* A run in which nobody is above the axis has a line along the top. */
        if (points[outcome->curves->n - 1] <= least)
            loom_sheet_row(sheet, least, 1);
    }
    return 0;
}

static int waits(struct loom_sheet *sheet, const struct loom_runs *runs, struct loom_error *err)
{
    (void)err;
    return curves(sheet, runs, false, "wait_s", 1, "no job waited for longer than a second");
}

static int slowdowns(struct loom_sheet *sheet, const struct loom_runs *runs, struct loom_error *err)
{
    (void)err;
    return curves(sheet, runs, true, "bounded_slowdown", 1, "no job was slowed down");
}

/* One column at a time: of both gnuplot would fit a line, and complain of few points. */
#define BLOCKS                                                                     \
    "stats data using 1 nooutput name 'X'\nstats data using 2 nooutput name 'Y'\n" \
    "blocks = X_blocks\n"
#define KEY "if (blocks > 3) { set key above center horizontal }\n"
#define PLOT(how)                                                                            \
    BLOCKS KEY "plot for [i=0:blocks-1] data index i using 1:2 " how " linestyle i + 1 \\\n" \
               "    linewidth wide(i, blocks) title (blocks > 1 ? columnheader(2) : '')\n"
#define CDF "set yrange [0:1]\nset ylabel 'share of jobs'\nset xrange [1:*]\n"

const struct loom_figure_ops loom_figures_service[] = {
    {.name = "wait-cdf",
     .section = "service",
     .title = "Waits",
     .caption = "Share of jobs that wait for at most the given time. Where the curve begins, it "
                "shows how many start at once.",
     .outcomes = waits,
     .script = LOOM_TIME_X CDF "set xlabel 'wait'\nset key bottom right\n" PLOT("with steps")},
    {.name = "slowdown-cdf",
     .section = "service",
     .title = "Slowdowns",
     .caption =
         "Share of jobs whose bounded slowdown, max(1, response / max(runtime, 10 s)), is at "
         "most the given number.",
     .outcomes = slowdowns,
     .script = "set logscale x\nset format x '%.0s%c'\n" CDF
               "set xlabel 'bounded slowdown'\nset key bottom right\n" PLOT("with steps")},
    {.name = NULL},
};

/* ---- over time ------------------------------------------------------------------------------- */

enum { WEEK_S = 7 * 86400 };
enum { CALM = 60 }; /* steps */
enum level { UTILIZATION, QUEUE_MEAN, QUEUE_MAX };

/* Steps, up to the end of the last. Lines of several runs over each other must be calm: so many
 * steps are shown as one. */
static void write_levels(struct loom_sheet *sheet, const struct loom_runs *runs, size_t run,
                         enum level which)
{
    const struct loom_outcome *outcome = runs->of[run];
    const struct loom_sim_series *series = outcome->series;
    size_t together = runs->n == 1 ? 1 : (series->count + CALM - 1) / CALM;
    double end_s = (double)outcome->metrics.makespan_s, y = 0;
    for (size_t i = 0; i < series->count; i += together) {
        double area = 0, length_s = 0, from_s = (double)((int64_t)i * series->step_s);
        for (size_t k = i; k < i + together && k < series->count; k++) {
            double left_s = end_s - (double)((int64_t)k * series->step_s);
            double step_s = fmin(left_s, (double)series->step_s);
            const struct loom_sim_level *level = &series->levels[k];
            area += step_s * (which == UTILIZATION  ? level->utilization
                              : which == QUEUE_MEAN ? level->queue_mean
                                                    : (double)level->queue_max);
            length_s += step_s;
        }
        y = area / length_s;
        loom_sheet_row(sheet, from_s, y);
    }
    loom_sheet_row(sheet, end_s, y);
}

static void begin_levels(struct loom_sheet *sheet, const struct loom_runs *runs)
{
    int64_t longest_s = 0;
    for (size_t i = 0; i < runs->n; i++) {
        int64_t length_s = runs->of[i]->metrics.makespan_s;
        longest_s = length_s > longest_s ? length_s : longest_s;
    }
    if (longest_s == 0)
        loom_sheet_skip(sheet, "the run takes no time");
    else
        too_many(sheet, runs);
    loom_unit_set(sheet, longest_s, runs->n);
}

static int utilization(struct loom_sheet *sheet, const struct loom_runs *runs,
                       struct loom_error *err)
{
    (void)err;
    begin_levels(sheet, runs);
    loom_metric_set(sheet, "utilization");
    for (size_t i = 0; i < runs->n && !sheet->reason; i++) {
        open_block(sheet, runs->of[i], "time_s,utilization");
        write_levels(sheet, runs, i, UTILIZATION);
    }
    return 0;
}

/* Of one run also how long the queue was at most. */
static int queue(struct loom_sheet *sheet, const struct loom_runs *runs, struct loom_error *err)
{
    static const char columns[] = "time_s,jobs_waiting";
    bool any = false;
    (void)err;
    begin_levels(sheet, runs);
    for (size_t i = 0; i < runs->n; i++)
        any = any || runs->of[i]->rates.queue_max > 0 || runs->of[i]->metrics.queue_max > 0;
    if (!any)
        return loom_sheet_skip(sheet, "no job ever waited");
    if (runs->n == 1 && !sheet->reason) {
        loom_sheet_block(sheet, "most in a step", columns);
        write_levels(sheet, runs, 0, QUEUE_MAX);
    }
    for (size_t i = 0; i < runs->n && !sheet->reason; i++) {
        if (runs->n == 1)
            loom_sheet_block(sheet, "mean of a step", columns);
        else
            open_block(sheet, runs->of[i], columns);
        write_levels(sheet, runs, i, QUEUE_MEAN);
    }
    return 0;
}

/* By weeks, whatever the length of steps. */
static int outstanding(struct loom_sheet *sheet, const struct loom_runs *runs,
                       struct loom_error *err)
{
    size_t longest = 0;
    (void)err;
    for (size_t i = 0; i < runs->n; i++)
        if (runs->of[i]->n_weeks > longest)
            longest = runs->of[i]->n_weeks;
    if (longest < 3)
        return loom_sheet_skip(sheet, longest > 0 ? "jobs are submitted for less than two weeks"
                                                  : "jobs are submitted for more than 2^20 weeks");
    too_many(sheet, runs);
    loom_unit_set(sheet, (int64_t)longest * WEEK_S, runs->n);
    for (size_t i = 0; i < runs->n && !sheet->reason; i++) {
        open_block(sheet, runs->of[i], "time_s,jobs_outstanding");
        for (size_t w = 0; w < runs->of[i]->n_weeks; w++)
            loom_sheet_row(sheet, (double)w * WEEK_S, (double)runs->of[i]->outstanding[w]);
    }
    return 0;
}

static int queue_lengths(struct loom_sheet *sheet, const struct loom_runs *runs,
                         struct loom_error *err)
{
    size_t last = 0;
    (void)err;
    for (size_t i = 0; i < runs->n; i++)
        for (size_t bin = 0; bin < LOOM_QUEUE_BINS; bin++)
            if (runs->of[i]->rates.queue_share[bin] > 0 && bin > last)
                last = bin;
    if (last == 0)
        return loom_sheet_skip(sheet, "no job ever waited");
    for (size_t i = 0; i < runs->n && !too_many(sheet, runs); i++) {
        open_block(sheet, runs->of[i], "jobs_waiting_up_to,share");
        for (size_t bin = 0; bin <= last; bin++)
            loom_sheet_row(sheet, bin == 0 ? 0 : ldexp(1, (int)bin - 1), /* 0, 1, 2, 4, 8, ... */
                           runs->of[i]->rates.queue_share[bin]);
    }
    return 0;
}

#define SINCE_FIRST LOOM_UNIT_X("since the first submission") "set xrange [0:*]\n"
/* Logarithmic but for the first, so that nothing has its place too: where some are far longer than
 * others. */
#define FROM_NOTHING                                                   \
    "if (runs > 1 && Y_max > 100) {\n"                                 \
    "    set nonlinear y via log10(1 + y) inverse 10**y - 1\n"         \
    "    set ytics (0, 1, 3, 10, 30, 100, 300, '1k' 1000, '3k' 3000, " \
    "'10k' 10000, '30k' 30000, '100k' 100000, '1M' 1000000)\n"         \
    "}\n"
/* What is drawn last is on top. */
#define PLOT_TIME(how, more)                                                          \
    "set yrange [0:*]\nset key above center horizontal\n"                             \
    "line(i) = runs > 1 ? i + 1 : blocks - i\nsolid = runs > 1 ? '' : 'dashtype 1'\n" \
    "plot for [i=0:blocks-1] data index i using ($1 / unit_s):2 " how " \\\n"         \
    "    linestyle line(i) linewidth (runs > 1 ? wide(i, runs) : 1.2) @solid \\\n"    \
    "    " more " title (blocks > 1 ? columnheader(2) : '')\n"

const struct loom_figure_ops loom_figures_time[] = {
    {.name = "utilization-time",
     .section = "time",
     .title = "Utilization over time",
     .caption = "Share of the processors that jobs have, in equal steps of the whole run.",
     .outcomes = utilization,
     .script = SINCE_FIRST "set ylabel metric\n" BLOCKS "set yrange [0:100]\n"
                           "percent = \"using ($1 / unit_s):(scale * $2)\"\n"
                           "set key above center horizontal\n"
                           "if (runs == 1) {\n"
                           "    plot data @percent with fillsteps fillstyle solid 0.35 "
                           "linecolor rgb '#0072B2' notitle, \\\n"
                           "         '' @percent with steps linestyle 1 linewidth 1.2 "
                           "notitle\n"
                           "} else {\n"
                           "    plot for [i=0:blocks-1] data index i @percent with steps "
                           "linestyle i + 1 \\\n"
                           "        linewidth wide(i, runs) title columnheader(2)\n"
                           "}\n"},
    {.name = "queue-time",
     .section = "time",
     .title = "Queue over time",
     .caption = "Jobs waiting, in equal steps of the whole run.",
     .outcomes = queue,
     .script =
         SINCE_FIRST "set ylabel 'jobs waiting'\n" BLOCKS FROM_NOTHING PLOT_TIME("with steps", "")},
    {.name = "outstanding-weekly",
     .section = "time",
     .title = "Outstanding jobs",
     .caption = "Jobs submitted and not ended at the beginning of each week, while jobs are "
                "submitted. Where they go on growing and the queue with them, the machine is "
                "saturated; where running jobs alone grow, it fills.",
     .outcomes = outstanding,
     .script = SINCE_FIRST "set ylabel 'jobs outstanding'\n" BLOCKS FROM_NOTHING
         PLOT_TIME("with linespoints", "pointsize 0.3 + 0.15 * (blocks - 1 - i)")},
    {.name = "queue-lengths",
     .section = "time",
     .title = "Lengths of the queue",
     .caption =
         "Part of the measured time with so many jobs waiting: none, one, two, three to four "
         "(up to 4), five to eight (up to 8), and so on.",
     .outcomes = queue_lengths,
     .script =
         "set xlabel 'jobs waiting, up to'\nset ylabel 'part of the time (%)'\nset yrange [0:*]\n"
         "set xtics ('0' 0, '1' 1, '2' 2, '4' 3, '8' 4, '16' 5, '32' 6, '64' 7, '128' 8, "
         "'256' 9, '512' 10, '1k' 11, '2k' 12, '4k' 13, '8k' 14, '16k' 15, '33k' 16, '66k' 17, "
         "'131k' 18, '262k' 19, '524k' 20, '1M' 21)\n"
         "set key above center horizontal\n" BLOCKS "set style fill solid 0.7 noborder\n"
         "bin(n) = n < 1 ? 0 : floor(log(n) / log(2) + 1.5)\nset xrange [-0.6:bin(X_max) + 0.6]\n"
         "share = 0.8 / blocks\nset boxwidth share\n"
         "plot for [i=0:blocks-1] data index i \\\n"
         "    using (bin($1) + (i - (blocks - 1) / 2.0) * share):(100 * $2) \\\n"
         "    with boxes linestyle i + 1 dashtype 1 title (blocks > 1 ? columnheader(2) : '')\n"},
    {.name = NULL},
};

/* ---- against load ---------------------------------------------------------------------------- */

/* Axes are named by the dictionary. */
static int against_load(struct loom_sheet *sheet, const struct loom_runs *runs, const char *key)
{
    const struct loom_metric *metric = loom_metric_set(sheet, key);
    const char *load = runs->of[0]->grid ? "grid_load" : "load_offered";
    char columns[80];
    loom_sheet_set(sheet, "load = '%s'\n", loom_metric_find(load)->label);
    snprintf(columns, sizeof columns, "load,%s,saturated", key);
    for (size_t i = 0, end; i < runs->n && !too_many(sheet, runs); i = end) {
        end = loom_runs_end(runs, i);
        open_block(sheet, runs->of[i], columns);
        for (size_t k = i; k < end; k++)
            loom_sheet_row3(sheet, runs->of[k]->load_shown,
                            loom_outcome_metric(runs->of[k], metric),
                            loom_outcome_saturated(runs->of[k]));
    }
    return 0;
}

/* A function for each figure, since figures have no room for what they are about. */
#define AGAINST_LOAD(name, key)                                             \
    static int name(struct loom_sheet *sheet, const struct loom_runs *runs, \
                    struct loom_error *err)                                 \
    {                                                                       \
        (void)err;                                                          \
        return against_load(sheet, runs, key);                              \
    }

AGAINST_LOAD(ratio_load, "slowdown_ratio")
AGAINST_LOAD(bounded_load, "bounded_slowdown_mean")
AGAINST_LOAD(wait_load, "wait_mean_s")
AGAINST_LOAD(busy_load, "utilization")
AGAINST_LOAD(local_load, "local_submitting_slowdown_ratio")
AGAINST_LOAD(all_busy_load, "grid_utilization_submitting")

/* Offered load of local and grid jobs together, over all processors, in a block behind the blocks
 * of policies: it is the same for all of them. */
static int grid_busy_load(struct loom_sheet *sheet, const struct loom_runs *runs,
                          struct loom_error *err)
{
    int rc = all_busy_load(sheet, runs, err);
    if (rc || sheet->reason)
        return rc;
    loom_sheet_block(sheet, "all that is offered", NULL);
    for (size_t i = 0; i < loom_runs_end(runs, 0); i++) {
        const struct loom_grid_metrics *grid = &runs->of[i]->grid->metrics;
        double left = grid->procs_left / (double)grid->procs;
        loom_sheet_row3(sheet, runs->of[i]->load_shown, 1 - left + grid->load * left, 0);
    }
    return 0;
}

static int local_ratio_load(struct loom_sheet *sheet, const struct loom_runs *runs,
                            struct loom_error *err)
{
    return runs->of[0]->grid->metrics.local.jobs == 0
               ? loom_sheet_skip(sheet, "the clusters have no local jobs")
               : local_load(sheet, runs, err);
}

/* A logarithmic axis only where values are far apart; it has no room for a 0, so that what is
 * saturated must be looked at before. */
#define LOAD_AXES                                                                    \
    "set xlabel load\nset ylabel metric\nset offsets graph 0.02, graph 0.02, 0, 0\n" \
    "stats data using 1 nooutput name 'X'\n"                                         \
    "stats data using ($2 * scale) nooutput name 'Y'\nblocks = X_blocks\n"           \
    "stats data using 3 nooutput name 'S'\nset key above center horizontal\n"        \
    "if (Y_max <= Y_min) { set yrange [0.9 * Y_min:1.1 * Y_min + 0.1] }\n"
#define FAR_APART                                             \
    "if (Y_min > 0 && Y_max > 10 * Y_min) {\n"                \
    "    set logscale y\n    if (Y_min >= 1) { set format y " \
    "'%.0s%c' }\n}\n"
/* Points of saturated runs are hollow: what grows with the length of the run is no steady state. */
#define PLOT_LOAD_AND(more)                                                                \
    "filled(i) = int(word('7 5 9 13 11 7 5', i + 1))\n"                                    \
    "plot for [i=0:blocks-1] data index i using 1:($2 * scale) with linespoints \\\n"      \
    "    linestyle i + 1 linewidth wide(i, blocks) pointtype filled(i) pointsize 0.7 \\\n" \
    "    title columnheader(2)" more ", \\\n"                                              \
    "    for [i=0:blocks-1] data index i using 1:($2 * scale):($3 > 0 ? 0.4 : 0) \\\n"     \
    "    with points pointtype filled(i) pointsize variable linecolor rgb '#ffffff' \\\n"  \
    "    notitle, NaN with points pointtype 6 pointsize 0.7 linecolor rgb '#444444' \\\n"  \
    "    title (S_max > 0 ? 'hollow: saturated' : '')\n"
#define PLOT_LOAD PLOT_LOAD_AND("")

#define CURVES LOAD_AXES FAR_APART PLOT_LOAD
#define LOAD_FIGURE(id, heading, words, values, commands)                                      \
    {                                                                                          \
        .name = id, .section = "load", .title = heading, .caption = words, .outcomes = values, \
        .script = commands                                                                     \
    }

const struct loom_figure_ops loom_figures_load[] = {
    LOAD_FIGURE(
        "slowdown-load", "Slowdown against load",
        "Mean response time over mean runtime, at each load offered (Minh 2012, figure 5.3).",
        ratio_load, CURVES),
    LOAD_FIGURE("bounded-slowdown-load", "Bounded slowdown against load",
                "Mean of max(1, response / max(runtime, 10 s)), at each load offered.",
                bounded_load, CURVES),
    LOAD_FIGURE("wait-load", "Wait against load", "Mean wait of jobs, at each load offered.",
                wait_load, CURVES),
    LOAD_FIGURE(
        "utilization-load", "Utilization against load",
        "Share of the processors that jobs have over the whole run. What lies below the "
        "dotted line is offered and not used: the machine idles while jobs wait, or the run "
        "goes on after the last submission.",
        busy_load,
        LOAD_AXES PLOT_LOAD_AND(", \\\n    [X_min:X_max] 100 * x with lines linecolor rgb "
                                "'#000000' linewidth 1.2 dashtype (3,5) \\\n"
                                "    title 'all that is offered'")),
    {.name = NULL},
};

/* The load is the load of a grid here, over the processors that local jobs leave; utilization is of
 * all processors, which local jobs use too. */
const struct loom_figure_ops loom_figures_grid_load[] = {
    LOAD_FIGURE("slowdown-load", "Slowdown of grid jobs against load",
                "Mean response time over mean runtime of grid jobs, at each load of the grid "
                "(Minh 2012, figure 6.3 b).",
                ratio_load, CURVES),
    LOAD_FIGURE("local-slowdown-load", "Slowdown of local jobs against load",
                "Mean response time over mean runtime of the local jobs of all clusters that come "
                "while grid jobs do, at each load of the grid (Minh 2012, figure 6.3 a, for one "
                "cluster).",
                local_ratio_load, CURVES),
    LOAD_FIGURE("bounded-slowdown-load", "Bounded slowdown of grid jobs against load",
                "Mean of max(1, response / max(runtime, 10 s)) of grid jobs, at each load of the "
                "grid.",
                bounded_load, CURVES),
    LOAD_FIGURE("wait-load", "Wait of grid jobs against load",
                "Mean wait of grid jobs, in the queues of the grid and of a cluster, at each load "
                "of the grid.",
                wait_load, CURVES),
    LOAD_FIGURE(
        "utilization-load", "Utilization against load",
        "Share of the processors of all clusters that grid jobs and local jobs have, from "
        "the first to the last submission of a grid job. The dotted line is what both "
        "offer: what lies below it waits, or is done after the last submission.",
        grid_busy_load,
        LOAD_AXES "blocks = blocks - 1\n" PLOT_LOAD_AND(
            ", \\\n    data index blocks using 1:($2 * scale) with lines linecolor rgb '#000000' "
            "linewidth 1.2 "
            "dashtype (3,5) \\\n    title 'all that is offered'")),
    {.name = NULL},
};
