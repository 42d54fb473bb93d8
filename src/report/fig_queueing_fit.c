/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of queueing models fitted to a log: what they predict, and when users go on. */
#include "report/figure.h"

#include <workloom/report.h>

#include <math.h>

enum { CURVE_POINTS = 80 };

#define DAY_S 86400.0

/* The setting `curves` has the number of the line style of each block. */
static void set_curves(struct loom_sheet *sheet, const char *curves)
{
    loom_sheet_set(sheet, "curves = '%s'\n", curves);
}

static bool predicts(const struct loom_queueing_fitted_log *of, size_t model)
{
    for (size_t i = 0; i < of->n; i++)
        if (of->predictions[i].models[model].verdict == LOOM_PREDICTED)
            return true;
    return false;
}

static int throughput(struct loom_sheet *sheet, const struct loom_queueing_fitted_log *of,
                      struct loom_error *err)
{
    char curves[LOOM_QUEUEING_FITTED + 2] = "1";
    size_t n = 1;
    (void)err;
    loom_sheet_block(sheet, "TBUOS", "load_factor,throughput_jobs_per_day,half_width");
    for (size_t i = 0; i < of->n; i++) {
        const struct loom_estimate *got = &of->predictions[i].simulated_throughput;
        loom_sheet_row3(sheet, of->predictions[i].load_factor, got->mean * DAY_S,
                        isnan(got->half_width) ? 0 : got->half_width * DAY_S);
    }
    for (size_t m = 0; m < LOOM_QUEUEING_FITTED; m++) {
        char series[40];
        if (!predicts(of, m))
            continue;
        snprintf(series, sizeof series, "%s%s", m == 0 ? "" : "reopen, ",
                 loom_queueing_fitted_name(m));
        loom_sheet_block(sheet, series, NULL);
        for (size_t i = 0; i < of->n; i++)
            loom_sheet_row3(sheet, of->predictions[i].load_factor,
                            of->predictions[i].models[m].throughput * DAY_S, 0);
        curves[n++] = (char)('2' + m);
    }
    set_curves(sheet, curves);
    return 0;
}

/* A rule from the least to the longest response of the bins, at steps of equal ratio. */
static void write_rule(struct loom_sheet *sheet, const struct loom_repeat *repeat, double least,
                       double most)
{
    for (size_t i = 0; i <= CURVE_POINTS; i++) {
        double response_s = least * pow(most / least, (double)i / CURVE_POINTS);
        const double values[] = {response_s, loom_repeat_probability(repeat, response_s), NAN, NAN};
        loom_sheet_record(sheet, values, 4);
    }
}

static int another_batch(struct loom_sheet *sheet, const struct loom_queueing_fitted_log *of,
                         struct loom_error *err)
{
    const struct loom_queueing_sessions *sessions = &of->fit->sessions;
    char curves[LOOM_QUEUEING_RULE_FITS + 2] = "1";
    double least = INFINITY, most = 0;
    size_t n = 1;
    (void)err;
    loom_sheet_block(sheet, "log", "response_s,share,low,high");
    for (size_t i = 0; i < sessions->n_bins; i++) {
        const struct loom_queueing_bin *bin = &sessions->bins[i];
        if (bin->response_s <= 0) /* no place on a logarithmic axis */
            continue;
        const double values[] = {bin->response_s, bin->share, bin->low, bin->high};
        loom_sheet_record(sheet, values, 4);
        least = fmin(least, bin->response_s);
        most = fmax(most, bin->response_s);
    }
    if (!(most > 0))
        return loom_sheet_skip(sheet, "no job has a response above 0");
    for (size_t i = 0; i < LOOM_QUEUEING_RULE_FITS; i++) {
        if (isnan(sessions->rules[i].repeat.value))
            continue;
        loom_sheet_block(sheet, loom_queueing_fitted_name(i + 1), NULL);
        write_rule(sheet, &sessions->rules[i].repeat, least, most);
        curves[n++] = (char)('3' + i);
    }
    set_curves(sheet, curves);
    return 0;
}

#define STYLES "curve(i) = int(curves[i + 1:i + 1])\nset key above center horizontal maxrows 3\n"

const struct loom_figure_ops loom_figures_queueing_fit[] = {
    {.name = "predicted-throughput",
     .section = "fit",
     .title = "Throughput, predicted and simulated",
     .caption = "Jobs per day that the fitted models predict, and that TBUOS simulates with "
                "confidence intervals, against the number of users. A model without a steady state "
                "has no point.",
     .fitted = throughput,
     .script = "set xlabel 'number of users (1: as in the log)'\n"
               "set ylabel 'throughput (jobs per day)'\n" STYLES "set yrange [0:*]\n"
               "stats data using 1:2 nooutput name 'V'\n"
               "set xrange [0.9 * V_min_x:V_max_x + 0.1 * V_min_x]\n"
               "plot for [i=1:V_blocks-1] data index i using 1:2 with linespoints \\\n"
               "    linestyle curve(i) title columnheader(2), \\\n"
               "    data index 0 using 1:2:3 with yerrorbars linestyle 1 dashtype 1 \\\n"
               "    title columnheader(2)\n"},
    {.name = "another-batch",
     .section = "fit",
     .title = "Another batch of a session, against the response",
     .caption = "Share of batches that the user follows up with another one in the same session, "
                "in bins of equally many batches with 95 % intervals, and the fitted rules. The "
                "response is the time with jobs waiting and the batch's share of the machine.",
     .fitted = another_batch,
     .script = "set datafile missing ''\n" LOOM_TIME_X "set xlabel 'response'\n"
               "set ylabel 'share followed by another batch (%)'\n" STYLES "set yrange [0:100]\n"
               "stats data using 1:2 nooutput name 'V'\n"
               "plot for [i=1:V_blocks-1] data index i using 1:(100 * $2) with lines \\\n"
               "    linestyle curve(i) title columnheader(2), \\\n"
               "    data index 0 using 1:(100 * $2):(100 * $3):(100 * $4) with yerrorbars \\\n"
               "    linestyle 1 title columnheader(2)\n"},
    {.name = NULL},
};
