/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of a replay: the log and its simulation over time. */
#include "report/figure.h"

#include <workloom/experiment_replay.h>

#include <math.h>

enum { CALM = 120 }; /* steps of a line */

/* Means of several steps as one, since two lines over each other must be calm. */
static void write_levels(struct loom_sheet *sheet, const struct loom_sim_series *series,
                         int64_t first_s)
{
    size_t together = (series->count + CALM - 1) / CALM;
    for (size_t i = 0; i < series->count; i += together) {
        double utilization = 0, queue = 0, n = 0;
        for (size_t k = i; k < i + together && k < series->count; k++, n++) {
            utilization += series->levels[k].utilization;
            queue += series->levels[k].queue_mean;
        }
        loom_sheet_row3(sheet,
                        (double)(series->from_s - first_s) + (double)((int64_t)i * series->step_s),
                        utilization / n, queue / n);
    }
}

static int over_time(struct loom_sheet *sheet, const struct loom_replay_report *replay,
                     struct loom_error *err)
{
    (void)err;
    int64_t first_s = replay->logged->from_s;
    if (replay->logged->count < 2)
        return loom_sheet_skip(sheet, "the log takes no time");
    loom_sheet_block(sheet, "log", "time_s,utilization,jobs_waiting");
    write_levels(sheet, replay->logged, first_s);
    loom_sheet_block(sheet, "simulated", NULL);
    write_levels(sheet, replay->simulated, first_s);
    return 0;
}

static void write_weeks(struct loom_sheet *sheet, const struct loom_replay_classes *weeks,
                        bool simulated)
{
    for (size_t i = 0; i < weeks->count; i++) {
        const struct loom_replay_errors *errors = &weeks->classes[i].errors;
        loom_sheet_row(sheet, (double)weeks->classes[i].to,
                       simulated ? errors->wait_mean_simulated_s : errors->wait_mean_log_s);
    }
}

static int by_week(struct loom_sheet *sheet, const struct loom_replay_report *replay,
                   struct loom_error *err)
{
    const struct loom_replay_classes *weeks = replay->by[LOOM_REPLAY_WEEK];
    (void)err;
    if (weeks->count < 4)
        return loom_sheet_skip(sheet, "the log has fewer than four weeks");
    loom_sheet_block(sheet, "log", "week,wait_mean_s");
    write_weeks(sheet, weeks, false);
    loom_sheet_block(sheet, "simulated", NULL);
    write_weeks(sheet, weeks, true);
    return 0;
}

const struct loom_figure_ops loom_figures_replay[] = {
    {.name = "replay-time",
     .section = "time",
     .title = "Machine and queue over time",
     .caption = "Utilization (above) and jobs waiting (below) in the log and in the simulation, in "
                "equal steps.",
     .replay = over_time,
     .height = 0.9,
     .width = 2,
     .script =
         "days = \"using ($1 / 86400)\"\nset lmargin 9\n"
         "set multiplot layout 2,1\n"
         "set key above center horizontal\nset yrange [0:100<*]\nset ylabel 'utilization (%)'\n"
         "unset xlabel\n"
         "plot for [i=0:1] data index i using ($1 / 86400):(100 * $2) with steps linestyle "
         "i + 1 \\\n    linewidth 1.3 title columnheader(2)\n"
         "unset key\nset yrange [0:*]\nset ylabel 'jobs waiting'\n"
         "set xlabel 'days since the first submission'\n"
         "plot for [i=0:1] data index i using ($1 / 86400):3 with steps linestyle i + 1 \\\n"
         "    linewidth 1.3\n"
         "unset multiplot\n"},
    {.name = "replay-week",
     .section = "time",
     .title = "Mean wait by week",
     .caption = "Jobs by the week of their submission.",
     .replay = by_week,
     .width = 2,
     .height = 0.45,
     .script = "set xlabel 'week'\nset ylabel 'mean wait (h)'\nset yrange [0:*]\n"
               "set key above center horizontal\n"
               "plot for [i=0:1] data index i using 1:($2 / 3600) with linespoints linestyle i + 1 "
               "\\\n    linewidth 1.3 pointsize 0.3 title columnheader(2)\n"},
    {.name = NULL},
};
