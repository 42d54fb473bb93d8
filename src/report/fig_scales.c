/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrivals at several time scales (survey, figure 5): the number of jobs in successive intervals,
 * each panel with intervals ten times as long as the one above. Each panel has the same number of
 * intervals, around the job in the middle of the log, and so spans ten times the time. Arrivals
 * without memory get smooth from panel to panel; self-similar ones do not.
 */
#include "report/figure.h"

#include <math.h>

enum { PANELS = 4, INTERVALS = 240 };

static void panel(struct loom_sheet *sheet, const struct loom_workload *jobs, const char *series,
                  int64_t length_s)
{
    int64_t middle_s = jobs->submit_s[jobs->n / 2] - jobs->submit_s[0];
    int64_t most = jobs->span_s / length_s + 1;
    int64_t first = middle_s / length_s - INTERVALS / 2;
    first = first < most - INTERVALS ? first : most - INTERVALS;
    first = first > 0 ? first : 0;
    double counts[INTERVALS] = {0};
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t interval = (jobs->submit_s[i] - jobs->submit_s[0]) / length_s - first;
        if (interval >= 0 && interval < INTERVALS)
            counts[interval]++;
    }
    loom_sheet_block(sheet, series, "interval,jobs");
    for (int i = 0; i < INTERVALS; i++)
        if (first + i < most)
            loom_sheet_row(sheet, i, counts[i]);
}

static int scales(struct loom_sheet *sheet, const struct loom_subject *subject,
                  struct loom_error *err)
{
    static const int64_t lengths_s[PANELS] = {36, 360, 3600, 36000};
    static const char *const names[PANELS] = {"36 s", "6 min", "1 h", "10 h"};
    (void)err;
    if (subject->jobs.n < 2 || subject->jobs.span_s < 10 * lengths_s[PANELS - 1])
        return loom_sheet_skip(sheet, "the log is shorter than four days");
    for (int i = 0; i < PANELS; i++)
        panel(sheet, &subject->jobs, names[i], lengths_s[i]);
    return 0;
}

const struct loom_figure_ops loom_figures_scales[] = {
    {.name = "arrivals-scales",
     .section = "arrivals",
     .title = "Arrivals at several time scales",
     .caption =
         "Jobs in 240 successive intervals of 36 seconds, 6 minutes, 1 hour and 10 hours, around "
         "the middle of the log. Arrivals without memory would get smoother from panel to "
         "panel; self-similar ones stay bursty.",
     .data = scales,
     .height = 0.95,
     .script =
         "array length[4] = ['36 s', '6 min', '1 h', '10 h']\n"
         "# Two or three ticks for each panel.\n"
         "unit(m) = 10 ** floor(log10(m))\n"
         "tick(m) = m / unit(m) >= 4 ? 2 * unit(m) : m / unit(m) >= 2 ? unit(m) : 0.5 * unit(m)\n"
         "set multiplot layout 4,1 margins char 9,2,3.5,0.5 spacing char 0,1.2\n"
         "set xrange [-1:240]\nset format x ''\nset grid noxtics\nunset key\n"
         "do for [i=1:4] {\n"
         "    if (i == 4) { set format x '%g'; set xlabel 'interval' }\n"
         "    set yrange [*:*]\n"
         "    stats data index i-1 using 2 nooutput\n"
         "    top = STATS_max > 1 ? STATS_max : 1\n"
         "    set yrange [0:top * 1.05]\n"
         "    set ytics 0,tick(top)\n"
         "    set ylabel 'per '.length[i] offset 0.5,0\n"
         "    plot data index i-1 using 1:2 with impulses linecolor rgb '#0072B2' linewidth 1.2\n"
         "}\n"
         "unset multiplot\n"},
    {.name = NULL},
};
