/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of bags of tasks and of repetitions of like runtimes. */
#include "report/figure.h"

#include <stdlib.h>

/* ---- bags ------------------------------------------------------------------------------------ */

typedef double measure_fn(const struct loom_subject *subject, const struct loom_bags *bags,
                          size_t bag);

static double size_of(const struct loom_subject *subject, const struct loom_bags *bags, size_t bag)
{
    (void)subject;
    return (double)loom_bag_size(bags, bag);
}

static double duration_of(const struct loom_subject *subject, const struct loom_bags *bags,
                          size_t bag)
{
    const int64_t *submit_s = subject->jobs.submit_s;
    return (double)(submit_s[bags->first[bag + 1] - 1] - submit_s[bags->first[bag]]);
}

/* One number for each bag of at least so many jobs, in a new array; there are bags. */
static int measure_bags(double **out, size_t *n, const struct loom_subject *subject, size_t least,
                        measure_fn *measure, struct loom_error *err)
{
    const struct loom_bags *bags = subject->bags;
    *n = 0;
    *out = malloc((bags->count + 1) * sizeof **out);
    for (size_t b = 0; *out && b < bags->count; b++)
        if (loom_bag_size(bags, b) >= least)
            (*out)[(*n)++] = measure(subject, bags, b);
    return *out ? 0 : loom_fail_memory(err);
}

static int bag_sizes(struct loom_sheet *sheet, const struct loom_subject *subject,
                     struct loom_error *err)
{
    double *values = NULL;
    size_t n = 0;
    if (!subject->bags)
        return loom_sheet_skip(sheet, "there are no bags of tasks");
    int rc = measure_bags(&values, &n, subject, 1, size_of, err);
    if (!rc)
        rc = loom_curve_zipf(sheet, "jobs,bags", values, n, err);
    free(values);
    return rc;
}

static int durations(struct loom_sheet *sheet, const struct loom_subject *subject,
                     struct loom_error *err)
{
    double *values = NULL;
    size_t n = 0;
    if (!subject->bags)
        return loom_sheet_skip(sheet, "there are no bags of tasks");
    int rc = measure_bags(&values, &n, subject, 2, duration_of, err);
    if (!rc)
        rc = loom_sort(values, n, err);
    if (!rc && (values[n - 1] < 2 || values[0] >= values[n - 1]))
        loom_sheet_skip(sheet, values[n - 1] < 2 ? "all bags are submitted within a second"
                                                 : "all bags take the same time to be submitted");
    else if (!rc)
        loom_curve_cdf(sheet, NULL, "duration_s", values, n, 1, false);
    free(values);
    return rc;
}

/* ---- repetitions ----------------------------------------------------------------------------- */

static int run_lengths(struct loom_sheet *sheet, const struct loom_subject *subject,
                       struct loom_error *err)
{
    const struct loom_clusters *clusters = subject->clusters;
    if (!clusters)
        return loom_sheet_skip(sheet, "there are no clusters of runtimes");
    double *lengths = malloc((clusters->n + 1) * sizeof *lengths);
    size_t runs = 0;
    if (!lengths)
        return loom_fail_memory(err);
    for (size_t i = 0; i < clusters->n;) {
        size_t first = i;
        while (i < clusters->n && clusters->labels[i] == clusters->labels[first])
            i++;
        lengths[runs++] = (double)(i - first);
    }
    int rc = loom_curve_zipf(sheet, "jobs,rows", lengths, runs, err);
    free(lengths);
    return rc;
}

#define ZIPF_PLOT                                                                               \
    "set key top right\nset yrange [*:*] noextend\n"                                            \
    "stats data index 0 using 2 nooutput\nset yrange [STATS_min / 3:*]\n"                       \
    "plot data index 0 using 1:2 with points linestyle 1 pointsize 0.6 title columnheader(2), " \
    "\\\n"                                                                                      \
    "     '' index 1 using 1:2 with lines linestyle 2 title fitted\n"

const struct loom_figure_ops loom_figures_bags[] = {
    {.name = "bag-sizes",
     .section = "bags",
     .title = "Sizes of bags",
     .caption =
         "How many bags have each number of jobs, single jobs included, with both axes "
         "logarithmic; sizes above 10 in bins, as the mean for one size. The line is the Zipf "
         "distribution that fits best.",
     .data = bag_sizes,
     .script = LOOM_LOG_X LOOM_LOG_Y "set xlabel 'jobs in the bag'\nset ylabel 'bags'\n" ZIPF_PLOT},
    {.name = "bag-durations",
     .section = "bags",
     .title = "Submission of bags",
     .caption =
         "Share of bags of at least two jobs whose last job comes within the given time after "
         "the first. The curve starts at the share of those that come within a second; the line "
         "marks 15 minutes.",
     .data = durations,
     .script = LOOM_TIME_X "set xrange [1:*]\nset yrange [0:1]\n"
                           "set xlabel 'duration of the submission'\nset ylabel 'P(X ≤ x)'\n"
                           "set arrow from 900, graph 0 to 900, graph 1 nohead linestyle 9\n"
                           "plot data using 1:2 with steps linestyle 1 notitle\n"},
    {.name = "run-lengths",
     .section = "locality",
     .title = "Repetitions of like runtimes",
     .caption =
         "How often successive jobs of the same kind of runtime come in a row of each length, "
         "with both axes logarithmic; lengths above 10 in bins, as the mean for one length. "
         "The line is the Zipf distribution that fits best.",
     .data = run_lengths,
     .script = LOOM_LOG_X LOOM_LOG_Y "set xlabel 'jobs in a row'\nset ylabel 'rows'\n" ZIPF_PLOT},
    {.name = NULL},
};
