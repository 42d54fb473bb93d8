/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of runtimes and sizes: their distributions, their kinds, and how they go together. */
#include "features/sizeclass.h"
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>

/* ---- distributions --------------------------------------------------------------------------- */

static int runtimes(struct loom_sheet *sheet, const struct loom_subject *subject, bool survival)
{
    const struct loom_sorted *sorted = &subject->runtimes;
    if (sorted->n == 0 || sorted->x[sorted->n - 1] < 1)
        return loom_sheet_skip(sheet, "no job is known to have run for a second");
    if (sorted->x[0] >= sorted->x[sorted->n - 1])
        return loom_sheet_skip(sheet, "all runtimes are equal");
    loom_curve_cdf(sheet, NULL, "runtime_s", sorted->x, sorted->n, 1, survival);
    return 0;
}

static int runtime_cdf(struct loom_sheet *sheet, const struct loom_subject *subject,
                       struct loom_error *err)
{
    (void)err;
    return runtimes(sheet, subject, false);
}

static int runtime_ccdf(struct loom_sheet *sheet, const struct loom_subject *subject,
                        struct loom_error *err)
{
    (void)err;
    return runtimes(sheet, subject, true);
}

static int write_sizes(struct loom_sheet *sheet, const struct loom_subject *subject, bool survival,
                       struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    double *sorted = malloc((jobs->n + 1) * sizeof *sorted);
    size_t n = 0;
    if (!sorted)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->procs[i] > 0)
            sorted[n++] = (double)jobs->procs[i];
    int rc = loom_sort(sorted, n, err);
    if (!rc && (n == 0 || sorted[0] >= sorted[n - 1]))
        loom_sheet_skip(sheet, n == 0 ? "no job has a processor count"
                                      : "all jobs have the same number of processors");
    else if (!rc)
        loom_curve_cdf(sheet, NULL, "procs", sorted, n, 1, survival);
    free(sorted);
    return rc;
}

static int size_cdf(struct loom_sheet *sheet, const struct loom_subject *subject,
                    struct loom_error *err)
{
    return write_sizes(sheet, subject, false, err);
}

static int size_ccdf(struct loom_sheet *sheet, const struct loom_subject *subject,
                     struct loom_error *err)
{
    return write_sizes(sheet, subject, true, err);
}

/* ---- kinds of runtimes ----------------------------------------------------------------------- */

enum { MIXTURE_BINS = 80 };
static const char mixture_columns[] = "runtime_plus_1_s,density";

/* Bins of ln(runtime + 1), shown at runtime + 1 on a logarithmic axis. */
static void write_histogram(struct loom_sheet *sheet, const struct loom_sorted *runtimes,
                            double high)
{
    double width = high / MIXTURE_BINS;
    size_t next = 0;
    loom_sheet_block(sheet, "jobs", mixture_columns);
    for (int i = 0; i < MIXTURE_BINS; i++) {
        size_t before = next;
        double end = i + 1 < MIXTURE_BINS ? expm1(width * (i + 1)) : INFINITY;
        while (next < runtimes->n && runtimes->x[next] < end)
            next++;
        loom_sheet_row(sheet, exp(width * i),
                       (double)(next - before) / (double)runtimes->n / width);
    }
    loom_sheet_row(sheet, exp(high), 0);
}

/* What a component expects in a bin, as the histogram has it: components can be far narrower than a
 * bin, so that their density at a point says little. */
static double expected(const struct loom_clusters *clusters, size_t c, double low, double high)
{
    double scale = clusters->sds[c] * M_SQRT2;
    double share =
        erf((high - clusters->means[c]) / scale) - erf((low - clusters->means[c]) / scale);
    return clusters->weights[c] * share / 2 / (high - low);
}

/* One component, or all of them together. */
static void write_components(struct loom_sheet *sheet, const struct loom_clusters *clusters,
                             size_t first, size_t end, double high)
{
    double width = high / MIXTURE_BINS;
    for (int i = 0; i < MIXTURE_BINS; i++) {
        double sum = 0;
        for (size_t c = first; c < end; c++)
            sum += expected(clusters, c, width * i, width * (i + 1));
        if (end - first > 1 || sum > 1e-5)
            loom_sheet_row(sheet, exp(width * (i + 0.5)), sum);
    }
}

static int mixture(struct loom_sheet *sheet, const struct loom_subject *subject,
                   struct loom_error *err)
{
    const struct loom_clusters *clusters = subject->clusters;
    (void)err;
    if (!clusters)
        return loom_sheet_skip(sheet, "there are no clusters of runtimes");
    double high = log1p(subject->runtimes.x[subject->runtimes.n - 1]);
    write_histogram(sheet, &subject->runtimes, high);
    loom_sheet_block(sheet, "mixture", mixture_columns);
    write_components(sheet, clusters, 0, clusters->count, high);
    for (size_t c = 0; c < clusters->count; c++) {
        char series[32];
        snprintf(series, sizeof series, "component %zu", c + 1);
        loom_sheet_block(sheet, series, mixture_columns);
        write_components(sheet, clusters, c, c + 1, high);
    }
    return 0;
}

/* ---- runtimes by size ------------------------------------------------------------------------ */

enum { MOST_CLASSES = 6, LEAST_IN_CLASS = 20 };

/* The classes with most jobs, marked. */
static void choose_classes(bool chosen[LOOM_SIZE_CLASSES], const struct loom_size_classes *classes)
{
    for (int round = 0; round < MOST_CLASSES; round++) {
        int best = -1;
        for (int k = 0; k < LOOM_SIZE_CLASSES; k++)
            if (!chosen[k] && classes->classes[k].n >= LEAST_IN_CLASS &&
                (best < 0 || classes->classes[k].n > classes->classes[best].n))
                best = k;
        if (best >= 0)
            chosen[best] = true;
    }
}

static void write_class(struct loom_sheet *sheet, const struct loom_size_class *class)
{
    char series[32];
    if (class->low == class->high)
        snprintf(series, sizeof series, "%d", class->low);
    else
        snprintf(series, sizeof series, "%d-%d", class->low, class->high);
    loom_curve_cdf(sheet, series, "runtime_s", class->runtimes, class->n, 1, false);
}

static int by_size(struct loom_sheet *sheet, const struct loom_subject *subject,
                   struct loom_error *err)
{
    struct loom_size_classes classes;
    bool chosen[LOOM_SIZE_CLASSES] = {false};
    int rc = loom_size_classes_create(&classes, &subject->jobs, err);
    if (rc)
        return rc;
    choose_classes(chosen, &classes);
    for (int k = 0; k < LOOM_SIZE_CLASSES; k++) {
        const struct loom_size_class *class = &classes.classes[k];
        if (chosen[k] && class->runtimes[0] < class->runtimes[class->n - 1])
            write_class(sheet, class);
    }
    loom_size_classes_free(&classes);
    return sheet->rows > 0
               ? 0
               : loom_sheet_skip(sheet, "no size has enough jobs of different runtimes");
}

/* ---- runtime against size -------------------------------------------------------------------- */

enum { MOST_DOTS = 1200 };

static bool is_known(const struct loom_workload *jobs, size_t job)
{
    return jobs->run_s[job] >= 1 && jobs->procs[job] > 0;
}

static int scatter(struct loom_sheet *sheet, const struct loom_subject *subject,
                   struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    size_t known = 0, seen = 0, drawn = 0;
    (void)err;
    for (size_t i = 0; i < jobs->n; i++)
        known += is_known(jobs, i);
    if (known < 2)
        return loom_sheet_skip(sheet, "fewer than two jobs know runtime and processors");
    size_t wanted = known < MOST_DOTS ? known : MOST_DOTS;
    loom_sheet_block(sheet, NULL, "procs,runtime_s");
    for (size_t i = 0; i < jobs->n; i++)
        if (is_known(jobs, i) && seen++ * wanted / known == drawn) {
            loom_sheet_row(sheet, (double)jobs->procs[i], (double)jobs->run_s[i]);
            drawn++;
        }
    return 0;
}

enum { HEAT_Y = 32, HEAT_X = 32 };

/* Columns are sizes 1, 2, 3-4, 5-8, ...; five rows of runtimes make a factor of 16. */
static int heat(struct loom_sheet *sheet, const struct loom_subject *subject,
                struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    double counts[HEAT_X][HEAT_Y] = {{0}};
    size_t n = 0;
    int columns = 0, rows = 0;
    (void)err;
    for (size_t i = 0; i < jobs->n; i++) {
        if (!is_known(jobs, i))
            continue;
        int column = jobs->procs[i] <= 1 ? 0 : (int)ceil(log2((double)jobs->procs[i]));
        int row = (int)(log2((double)jobs->run_s[i]) * 1.25);
        column = column < HEAT_X ? column : HEAT_X - 1;
        row = row < HEAT_Y ? row : HEAT_Y - 1;
        counts[column][row]++;
        columns = column >= columns ? column + 1 : columns;
        rows = row >= rows ? row + 1 : rows;
        n++;
    }
    if (n < 2 || columns < 2 || rows < 2)
        return loom_sheet_skip(sheet, "runtimes or processors do not differ, or are not known");
    loom_sheet_block(sheet, NULL, "log2_procs,log2_runtime_s,share");
    for (int x = 0; x < columns; x++)
        for (int y = 0; y < rows; y++)
            if (counts[x][y] > 0)
                loom_sheet_row3(sheet, x, (y + 0.5) / 1.25, counts[x][y] / (double)n);
    return 0;
}

const struct loom_figure_ops loom_figures_jobs[] = {
    {.name = "runtime-cdf",
     .section = "jobs",
     .title = "Runtimes",
     .caption = "Share of jobs that run for at most the given time. Jobs of 0 and 1 seconds are "
                "in the height at which the curve starts.",
     .data = runtime_cdf,
     .script = LOOM_TIME_X "set xrange [1:*]\nset yrange [0:1]\nset xlabel 'runtime'\n"
                           "set ylabel 'P(X ≤ x)'\n"
                           "plot data using 1:2 with steps linestyle 1 notitle\n"},
    {.name = "runtime-ccdf",
     .section = "jobs",
     .title = "Long runtimes",
     .caption =
         "Share of jobs that run for longer than the given time, with both axes logarithmic. "
         "A power law would be a straight line; limits on the time that jobs may run would cut it "
         "off.",
     .data = runtime_ccdf,
     .script = LOOM_TIME_X LOOM_LOG_Y "set xrange [1:*]\nset xlabel 'runtime'\n"
                                      "set ylabel 'P(X > x)'\n"
                                      "plot data using 1:2 with lines linestyle 1 notitle\n"},
    {.name = "runtime-mixture",
     .section = "jobs",
     .title = "Kinds of runtimes",
     .caption =
         "The logarithms of runtimes as a histogram, and the mixture of normal distributions "
         "that fits them best by BIC, in the same bins: its components are the kinds of runtimes.",
     .data = mixture,
     .script = LOOM_TIME_X
     "set xlabel 'runtime (+ 1 s)'\nset ylabel 'density of ln(runtime + 1)'\nset xrange [1:*]\n"
     "set key above\n"
     "stats data index 0 using 2 nooutput\nset yrange [0:STATS_max * 1.1]\n"
     "stats data using 1:2 nooutput\n"
     "plot data index 0 using 1:2 with fillsteps linecolor rgb '#b8d0e0' title 'jobs', \\\n"
     "     for [i=2:STATS_blocks-1] '' index i using 1:2 with lines linestyle 9 dashtype 1 \\\n"
     "         title (i == 2 ? 'components' : ''), \\\n"
     "     '' index 1 using 1:2 with lines linestyle 2 dashtype 1 title 'mixture'\n"},
    {.name = "size-cdf",
     .section = "jobs",
     .title = "Sizes",
     .caption =
         "Share of jobs of at most the given number of processors. High steps are at the sizes "
         "that people prefer, often powers of two.",
     .data = size_cdf,
     .script = "set logscale x 2\nset xrange [1:*]\nset yrange [0:1]\nset xlabel 'processors'\n"
               "set ylabel 'P(X ≤ x)'\n"
               "plot data using 1:2 with steps linestyle 1 notitle\n"},
    {.name = "size-ccdf",
     .section = "jobs",
     .title = "Large sizes",
     .caption = "Share of jobs of more than the given number of processors, with both axes "
                "logarithmic.",
     .data = size_ccdf,
     .script = "set logscale x 2\n" LOOM_LOG_Y
               "set xrange [1:*]\nset xlabel 'processors'\nset ylabel 'P(X > x)'\n"
               "plot data using 1:2 with steps linestyle 1 notitle\n"},
    {.name = "runtime-by-size",
     .section = "jobs",
     .title = "Runtimes for each range of sizes",
     .caption =
         "Share of jobs that run for at most the given time, for each of the up to six ranges of "
         "sizes with the most jobs.",
     .data = by_size,
     .script = LOOM_TIME_X
     "set xrange [1:*]\nset yrange [0:1]\nset xlabel 'runtime'\nset ylabel 'P(X ≤ x)'\n"
     "set key top left title 'processors'\nstats data using 1:2 nooutput\n"
     "plot for [i=0:STATS_blocks-1] data index i using 1:2 with lines linestyle i+1 \\\n"
     "         title columnheader(2)\n"},
    {.name = "runtime-size-scatter",
     .section = "jobs",
     .title = "Runtime against size",
     .caption = "Each dot is a job; of a large log, an even selection of 1200.",
     .data = scatter,
     .script = LOOM_TIME_Y
     "set logscale x 2\nset xrange [0.8:*]\nset yrange [1:*]\nset xlabel 'processors'\n"
     "set ylabel 'runtime'\n"
     "plot data using 1:2 with points linestyle 1 pointtype 6 pointsize 0.35 linewidth 0.8 "
     "notitle\n"},
    {.name = "runtime-size-heat",
     .section = "jobs",
     .title = "Where the jobs are",
     .caption = "Share of all jobs in each range of sizes and runtimes; the darker, the more. A "
                "column has the sizes up to the one below it, and above the one to the left: 8 "
                "stands for 5 to 8.",
     .data = heat,
     .script =
         "set xlabel 'processors'\nset ylabel 'runtime'\nunset grid\nunset key\n"
         "set ytics ('1 s' 0, '10 s' log(10)/log(2), '1 min' log(60)/log(2), \\\n"
         "    '10 min' log(600)/log(2), '1 h' log(3600)/log(2), '10 h' log(36000)/log(2), \\\n"
         "    '4 d' log(345600)/log(2), '40 d' log(3456000)/log(2))\n"
         "stats data using 1:2 nooutput\nset xrange [-0.6:STATS_max_x + 0.6]\n"
         "set yrange [0:STATS_max_y + 0.6]\nset xtics ()\n"
         "do for [k=0:int(STATS_max_x)] {\n"
         "    set xtics add (sprintf('%d', 2**k) k)\n"
         "}\n"
         "set style fill solid 1 noborder\nset logscale cb\nset cblabel 'share of jobs (%)'\nset "
         "format cb '%g'\n"
         "set palette defined (0 '#e6eef5', 1 '#9ec3dc', 2 '#4d94bf', 3 '#0b5c94', 4 '#052a45')\n"
         "plot data using 1:2:(0.48):(0.4):(100 * $3) with boxxyerror fillstyle solid 1 \\\n"
         "         linecolor palette notitle\n"},
    {.name = NULL},
};
