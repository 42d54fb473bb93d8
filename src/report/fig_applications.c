/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of the same application, and how popular users and applications are (survey 2.1, 4.1). */
#include "features/applications.h"
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>

/* ---- runs of an application ------------------------------------------------------------------ */

enum { MOST_SHOWN = 40 };

static int applications(struct loom_sheet *sheet, const struct loom_subject *subject,
                        struct loom_error *err)
{
    struct loom_applications all;
    int rc = loom_applications_create(&all, &subject->jobs, err);
    if (!rc && all.n == 0)
        loom_sheet_skip(sheet, "no job has an executable");
    else if (!rc)
        loom_sheet_block(sheet, NULL, "application,runs,users,sizes,runtime_mean_s,runtime_cv");
    for (size_t i = 0; !rc && i < all.n && i < MOST_SHOWN; i++) {
        const struct loom_application_runs *one = &all.of[i];
        loom_sheet_record(sheet,
                          (const double[]){one->number, (double)one->runs, (double)one->users,
                                           (double)one->sizes, one->known ? one->mean_s : NAN,
                                           one->known > 1 && one->mean_s > 0 ? one->cv : NAN},
                          6);
    }
    loom_applications_free(&all);
    return rc;
}

/* ---- popularity ------------------------------------------------------------------------------ */

/* Counts by rank, thinned on the logarithmic axis, and the line through all of them. */
static void write_ranks(struct loom_sheet *sheet, const char *series, const double *counts,
                        size_t n, const struct loom_line *line)
{
    char name[LOOM_SERIES_SIZE];
    double next = 1;
    loom_sheet_block(sheet, series, "rank,jobs");
    for (size_t i = 0; i < n; i++)
        if ((double)(i + 1) >= next) {
            loom_sheet_row(sheet, (double)(i + 1), counts[i]);
            next = fmax(next * 1.01, (double)(i + 2));
        }
    snprintf(name, sizeof name, "%s, fitted", series);
    loom_sheet_set(sheet, "fitted_%s = 'exponent %.2f'\n", series, -line->slope);
    loom_sheet_block(sheet, name, NULL);
    for (int end = 0; end < 2; end++) {
        double rank = end ? (double)n : 1;
        loom_sheet_row(sheet, rank, pow(10, line->intercept + line->slope * log10(rank)));
    }
}

static int popularity_of(struct loom_sheet *sheet, const char *series, const int32_t *items,
                         size_t n, struct loom_error *err)
{
    double *counts = NULL;
    size_t different = 0;
    struct loom_line line;
    int rc = loom_popularity(&counts, &different, items, n, err);
    if (!rc && different >= 2) {
        rc = loom_popularity_line(&line, counts, different, err);
        if (!rc)
            write_ranks(sheet, series, counts, different, &line);
    }
    free(counts);
    return rc;
}

static int popularity(struct loom_sheet *sheet, const struct loom_subject *subject,
                      struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    int rc = popularity_of(sheet, "users", jobs->user, jobs->n, err);
    if (!rc)
        rc = popularity_of(sheet, "applications", jobs->executable, jobs->n, err);
    return rc || sheet->rows > 0
               ? rc
               : loom_sheet_skip(sheet, "fewer than two users or applications are known");
}

const struct loom_figure_ops loom_figures_applications[] = {
    {.name = "popularity",
     .section = "users",
     .title = "Popularity of users and applications",
     .caption =
         "Jobs of each user, and runs of each executable, by rank, with both axes logarithmic, and "
         "the lines through them. An exponent of 1 is Zipf's law.",
     .data = popularity,
     .script = LOOM_LOG_X LOOM_LOG_Y
     "set xlabel 'rank'\nset ylabel 'jobs'\nset key bottom left\nset yrange [0.8:*]\n"
     "stats data using 1:2 nooutput\n"
     "plot for [i=0:STATS_blocks-1:2] data index i using 1:2 with points linestyle i/2+1 \\\n"
     "         title columnheader(2), \\\n"
     "     for [i=1:STATS_blocks-1:2] data index i using 1:2 with lines linestyle i/2+1 \\\n"
     "         linewidth 1 title value('fitted_'.(exists('fitted_users') && i == 1 ? \\\n"
     "                                           'users' : 'applications'))\n"},
    {.name = "applications",
     .section = "users",
     .title = "Runs of the same application",
     .caption =
         "The executables that ran most often, with their users, different numbers of processors, "
         "mean runtime and its coefficient of variation.",
     .data = applications},
    {.name = NULL},
};
