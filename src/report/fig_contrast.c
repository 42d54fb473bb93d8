/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures that lay traces over a reference: those by which the texts judge their models (Minh 2012,
 * figures 4.5, 4.6, 5.1 and 5.2; Minh 2010, figures 5 to 7) and their resampled logs (Zakay chapter
 * 3, figure 4).
 */
#include "base/civil.h"
#include "features/rate.h"
#include "report/contrast.h"
#include "report/contrast_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- blocks ---------------------------------------------------------------------------------- */

enum { LABEL_MAX = 60 };

/* Write the name of a trace's series. It may be a file's: what ends a field becomes a blank. Traces
 * of one label are numbered from the second on. Returns buf. */
static const char *name_series(char buf[LOOM_SERIES_SIZE], const struct loom_contrast *contrast,
                               size_t trace)
{
    const char *label = contrast->of[trace].label;
    size_t same = 0;
    for (size_t i = 0; i < trace; i++)
        same += strncmp(contrast->of[i].label, label, LABEL_MAX) == 0;
    int length = snprintf(buf, LOOM_SERIES_SIZE, "%.*s", LABEL_MAX, label);
    for (char *at = buf; *at; at++)
        if ((unsigned char)*at < ' ' || *at == '"' || *at == '\\')
            *at = ' ';
    if (same > 0)
        snprintf(buf + length, LOOM_SERIES_SIZE - (size_t)length, " %zu", same + 1);
    return buf;
}

/* Of what a trace does not know there is a block without a point, and nothing in the table. */
static void open_block(struct loom_sheet *sheet, const char *columns,
                       const struct loom_contrast *contrast, size_t trace, bool known)
{
    char name[LOOM_SERIES_SIZE], series[LOOM_SERIES_SIZE + 16];
    snprintf(series, sizeof series, "%s%s", name_series(name, contrast, trace),
             known ? "" : " (not known)");
    loom_sheet_block(sheet, series, columns);
    if (!known)
        loom_sheet_gap(sheet);
}

/* How many of the traces know something, where the reference must. */
static int need_two(struct loom_sheet *sheet, bool reference, size_t known)
{
    if (!reference)
        return loom_sheet_skip(sheet, "the reference has no data for it");
    return known < 2 ? loom_sheet_skip(sheet, "only the reference has data for it") : 0;
}

/* ---- distributions --------------------------------------------------------------------------- */

enum { COLUMN_SIZE = 64 };

/* Write the name of a column: "user_work_s" of the key user.work in seconds. Returns buf. */
static const char *name_column(char buf[COLUMN_SIZE], const char *key, const char *unit)
{
    snprintf(buf, COLUMN_SIZE, "%s%s%s", key, *unit ? "_" : "", unit);
    for (char *at = buf; *at; at++)
        *at = *at == '.' ? '_' : *at;
    return buf;
}

/* Can be shown on a logarithmic axis from `least` on. */
static bool has_range(const struct loom_sorted_sample *sample, double least)
{
    return sample->n > 1 && sample->sorted[sample->n - 1] >= least;
}

static int curves(struct loom_sheet *sheet, const struct loom_contrast *contrast, const char *key,
                  bool survival)
{
    size_t index = loom_contrast_distribution(key), known = 0;
    bool seconds = strcmp(loom_distribution_at(index)->unit, "s") == 0;
    char x[COLUMN_SIZE], series[LOOM_SERIES_SIZE];
    name_column(x, key, seconds ? "s" : "");
    for (size_t i = 0; i < contrast->n; i++)
        known += has_range(&contrast->of[i].samples.of[index], 1);
    need_two(sheet, has_range(&contrast->of[0].samples.of[index], 1), known);
    for (size_t i = 0; i < contrast->n && !sheet->reason; i++) {
        const struct loom_sorted_sample *sample = &contrast->of[i].samples.of[index];
        if (has_range(sample, 1))
            loom_curve_cdf(sheet, name_series(series, contrast, i), x, sample->sorted, sample->n, 1,
                           survival);
        else
            open_block(sheet, NULL, contrast, i, false);
    }
    return 0;
}

/* By quantiles, on an axis of days. */
static int days_cdf(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                    const struct loom_figure_ops *ops, struct loom_error *err)
{
    enum { QUANTILES = 200 };
    size_t index = loom_contrast_distribution(ops->of), known = 0;
    char columns[COLUMN_SIZE];
    name_column(columns, ops->of, "days,share");
    (void)err;
    for (size_t i = 0; i < contrast->n; i++)
        known += contrast->of[i].samples.of[index].n > 1;
    need_two(sheet, contrast->of[0].samples.of[index].n > 1, known);
    for (size_t i = 0; i < contrast->n && !sheet->reason; i++) {
        const struct loom_sorted_sample *sample = &contrast->of[i].samples.of[index];
        open_block(sheet, columns, contrast, i, sample->n > 1);
        for (int q = 0; q <= QUANTILES && sample->n > 1; q++) {
            double p = (double)q / QUANTILES;
            loom_sheet_row(sheet, loom_quantile(sample->sorted, sample->n, p) / LOOM_DAY_S, p);
        }
    }
    return 0;
}

static int cdf(struct loom_sheet *sheet, const struct loom_contrast *contrast,
               const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)err;
    return curves(sheet, contrast, ops->of, false);
}

static int ccdf(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)err;
    return curves(sheet, contrast, ops->of, true);
}

/* ---- the rate process ------------------------------------------------------------------------ */

enum { PER_DAY = LOOM_DAY_S / LOOM_RATE_S, ACF_DAYS = 15 };

static int write_acf(struct loom_sheet *sheet, const struct loom_contrast *contrast, size_t trace,
                     size_t most, struct loom_error *err)
{
    const struct loom_contrasted *one = &contrast->of[trace];
    double values[ACF_DAYS * PER_DAY + 1];
    bool known = one->n_rate > most;
    int rc = known ? loom_acf(values, one->rate, one->n_rate, most, err) : 0;
    if (rc == LOOM_ENOMEM)
        return rc;
    known = known && !rc;
    open_block(sheet, "lag_days,autocorrelation", contrast, trace, known);
    for (size_t lag = 1; known && lag <= most; lag++)
        loom_sheet_row(sheet, (double)lag / PER_DAY, values[lag]);
    return 0;
}

static int acf(struct loom_sheet *sheet, const struct loom_contrast *contrast,
               const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)ops;
    size_t n = contrast->of[0].n_rate, known = 0;
    size_t most = n < 2 ? 0 : n - 1 < ACF_DAYS * PER_DAY ? n - 1 : ACF_DAYS * PER_DAY;
    if (most < PER_DAY)
        return loom_sheet_skip(sheet, "the reference is not longer than a day");
    for (size_t i = 0; i < contrast->n; i++)
        known += contrast->of[i].n_rate > most;
    int rc = need_two(sheet, true, known);
    for (size_t i = 0; i < contrast->n && !rc && !sheet->reason; i++)
        rc = write_acf(sheet, contrast, i, most, err);
    return rc;
}

/* The time scales of Minh 2012, figure 4.5, in intervals of the rate process, and lags in their
 * own. */
static const size_t scales[] = {1, 2, 4, 8};
enum { ACF_SCALES = sizeof scales / sizeof *scales, SCALE_LAGS = 100, LEAST_LAGS = 10 };

static size_t lags_at(const struct loom_contrasted *one, size_t scale)
{
    size_t n = one->n_rate / scale;
    return n < 2 ? 0 : n - 1 < SCALE_LAGS ? n - 1 : SCALE_LAGS;
}

static int write_acf_at(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                        size_t trace, size_t scale, struct loom_error *err)
{
    const struct loom_contrasted *one = &contrast->of[trace];
    double values[SCALE_LAGS + 1];
    size_t most = lags_at(one, scale), n = one->n_rate / scale;
    double *rate = calloc(n + 1, sizeof *rate);
    if (!rate)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n * scale; i++)
        rate[i / scale] += one->rate[i];
    int rc = most >= LEAST_LAGS ? loom_acf(values, rate, n, most, err) : LOOM_EDATA;
    free(rate);
    if (rc == LOOM_ENOMEM)
        return rc;
    open_block(sheet, "lag,autocorrelation,interval_s", contrast, trace, !rc);
    for (size_t lag = 1; !rc && lag <= most; lag++)
        loom_sheet_row3(sheet, (double)lag, values[lag], (double)(scale * LOOM_RATE_S));
    return 0;
}

/* The traces at one scale stand together. */
static int acf_at_scales(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                         const struct loom_figure_ops *ops, struct loom_error *err)
{
    size_t longest = scales[ACF_SCALES - 1], known = 0;
    (void)ops;
    if (lags_at(&contrast->of[0], longest) < LEAST_LAGS)
        return loom_sheet_skip(sheet, "the reference is not longer than a day");
    for (size_t i = 0; i < contrast->n; i++)
        known += lags_at(&contrast->of[i], longest) >= LEAST_LAGS;
    int rc = need_two(sheet, true, known);
    for (size_t s = 0; s < ACF_SCALES && !sheet->reason; s++)
        for (size_t i = 0; i < contrast->n && !rc; i++)
            rc = write_acf_at(sheet, contrast, i, scales[s], err);
    return rc;
}

typedef int estimator_fn(struct loom_hurst *out, const double *x, size_t n, struct loom_error *err);

/* First the points of all traces, then their lines. */
static int hurst(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                 estimator_fn *estimate, const char *columns, struct loom_error *err)
{
    struct loom_hurst *results = calloc(contrast->n, sizeof *results);
    size_t known = 0;
    int rc = results ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < contrast->n && !rc; i++) {
        const struct loom_contrasted *one = &contrast->of[i];
        rc = one->rate ? estimate(&results[i], one->rate, one->n_rate, err) : LOOM_EDATA;
        known += rc == 0;
        rc = rc == LOOM_ENOMEM ? rc : 0;
    }
    if (!rc)
        need_two(sheet, results[0].points > 0, known);
    for (int lines = 0; lines < 2; lines++)
        for (size_t i = 0; i < contrast->n && !rc && !sheet->reason; i++) {
            const struct loom_hurst *h = &results[i];
            double low = INFINITY, high = -INFINITY;
            open_block(sheet, columns, contrast, i, h->points > 0);
            for (size_t k = 0; k < h->points; k++) {
                if (!lines)
                    loom_sheet_row3(sheet, h->log_x[k], h->log_y[k], 0);
                low = fmin(low, h->log_x[k]);
                high = fmax(high, h->log_x[k]);
            }
            for (int end = 0; lines && end < 2; end++) {
                double x = end ? high : low;
                loom_sheet_row3(sheet, x, h->line.intercept + h->line.slope * x, 1);
            }
        }
    for (size_t i = 0; results && i < contrast->n; i++)
        loom_hurst_free(&results[i]);
    free(results);
    return rc;
}

static int pox(struct loom_sheet *sheet, const struct loom_contrast *contrast,
               const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)ops;
    return hurst(sheet, contrast, loom_rate_pox, "log10_block_h,log10_rs,fitted", err);
}

static int variance_time(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                         const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)ops;
    return hurst(sheet, contrast, loom_hurst_aggvar, "log10_m,log10_variance,fitted", err);
}

/* Minh 2010, figure 6. */
static int entropy(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                   const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)ops;
    static const int intervals_s[] = {900, 1800, 3600, 86400};
    enum { SCALES = sizeof intervals_s / sizeof *intervals_s };
    (void)err;
    for (size_t i = 0; i < contrast->n; i++) {
        open_block(sheet, "interval_s,entropy", contrast, i, true);
        for (size_t k = 0; k < SCALES; k++) {
            char key[40];
            snprintf(key, sizeof key, "arrival.entropy.%d", intervals_s[k]);
            const struct loom_feature *feature = loom_features_find(contrast->of[i].features, key);
            if (feature->known)
                loom_sheet_row(sheet, intervals_s[k], feature->value);
            else
                loom_sheet_gap(sheet);
        }
    }
    return sheet->rows < 2 ? loom_sheet_skip(sheet, "the logs are too short") : 0;
}

/* ---- cycles ---------------------------------------------------------------------------------- */

enum { HOURS_A_WEEK = 7 * 24 };

/* Shares of arrivals in equal parts of the period. */
static int cycle(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                 const char *columns, double period_s, size_t bins)
{
    size_t index = loom_contrast_distribution("week"), known = 0;
    for (size_t i = 0; i < contrast->n; i++)
        known += contrast->of[i].samples.of[index].n > 0;
    need_two(sheet, contrast->of[0].samples.of[index].n > 0, known);
    for (size_t i = 0; i < contrast->n && !sheet->reason; i++) {
        const struct loom_sorted_sample *sample = &contrast->of[i].samples.of[index];
        double counts[HOURS_A_WEEK] = {0};
        for (size_t k = 0; k < sample->n; k++)
            counts[(size_t)(fmod(sample->sorted[k], period_s) / period_s * (double)bins)]++;
        open_block(sheet, columns, contrast, i, sample->n > 0);
        for (size_t bin = 0; bin < bins && sample->n > 0; bin++)
            loom_sheet_row(sheet, (double)bin, counts[bin] / (double)sample->n);
    }
    return 0;
}

static int contrast_by_hour(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                            const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)ops, (void)err;
    return cycle(sheet, contrast, "hour,share", LOOM_DAY_S, 24);
}

static int by_weekday(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                      const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)ops, (void)err;
    return cycle(sheet, contrast, "weekday,share", 7.0 * LOOM_DAY_S, 7);
}

/* Zakay chapter 3, figure 4, its last part. */
static int by_hour_of_week(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                           const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)ops, (void)err;
    return cycle(sheet, contrast, "hour_of_week,share", 7.0 * LOOM_DAY_S, HOURS_A_WEEK);
}

/* ---- locality -------------------------------------------------------------------------------- */

/* Zakay chapter 3, figure 5. */
static int concentration(struct loom_sheet *sheet, const struct loom_contrast *contrast,
                         const struct loom_figure_ops *figure, struct loom_error *err)
{
    size_t known = 0;
    (void)figure;
    (void)err;
    for (size_t i = 0; i < contrast->n; i++)
        known += contrast->of[i].n_days > 1;
    need_two(sheet, contrast->of[0].n_days > 1, known);
    for (size_t i = 0; i < contrast->n && !sheet->reason; i++) {
        const struct loom_contrasted *one = &contrast->of[i];
        open_block(sheet, "share_fullest_bin,share", contrast, i, one->n_days > 1);
        for (size_t k = 0; k < one->n_days && one->n_days > 1; k++)
            loom_sheet_row(sheet, one->days[k], (double)(k + 1) / (double)one->n_days);
    }
    return 0;
}

/* ---- figures --------------------------------------------------------------------------------- */

const struct loom_figure_ops loom_figures_contrast[] = {
    {.name = "interarrival-cdf",
     .section = "arrivals",
     .title = "Interarrival times",
     .caption = "Share of jobs that follow the job before within the given time.",
     .overlay = cdf,
     .of = "interarrival",
     .script = CDF_OF(LOOM_TIME_X, "interarrival time", "bottom right")},
    {.name = "interarrival-ccdf",
     .section = "arrivals",
     .title = "Long interarrival times",
     .caption =
         "Share of jobs that come later than the given time after the job before (Minh 2012, "
         "figure 4.6). The tail is what makes arrivals bursty.",
     .overlay = ccdf,
     .of = "interarrival",
     .script = CCDF_OF(LOOM_TIME_X, "interarrival time", "bottom left")},
    {.name = "arrivals-entropy",
     .section = "arrivals",
     .title = "Burstiness at four time scales",
     .caption = "Normalised entropy of arrivals over intervals of 15 minutes to a day (Minh 2010, "
                "figure 6): 1 is even, and the lower, the burstier.",
     .overlay = entropy,
     .script = SIDES "place(s) = s < 3600 ? s / 900 - 1 : s > 3600 ? 3 : 2\n"
                     "set xtics ('15 min' 0, '30 min' 1, '1 h' 2, '1 d' 3)\nset xrange [-0.3:3.3]\n"
                     "set yrange [*:1.01]\nset ylabel 'normalised entropy'\nset xlabel 'interval'\n"
                     "set key bottom right\n" PLOT_OF("(place($1)):2", "with linespoints")},
    {.name = "arrivals-acf",
     .section = "dependence",
     .title = "Autocorrelation of arrivals",
     .caption = "Autocorrelation of the number of arrivals in intervals of 15 minutes. Thin lines "
                "mark days, thick ones weeks; the steep start may be cut "
                "off.",
     .overlay = acf,
     .script =
         "set xlabel 'lag (days)'\nset ylabel 'autocorrelation'\nset xtics 1\n"
         "set xrange [0:*]\nset xzeroaxis linestyle 9 dashtype 1\nset grid noxtics\n"
         "do for [day=1:15] {\n"
         "    set arrow from day, graph 0 to day, graph 1 nohead back \\\n"
         "        linecolor rgb (day % 7 ? '#dddddd' : '#999999') linewidth (day % 7 ? 0.6 : 1.4)\n"
         "}\n"
         "stats data using ($1 > 0.5 ? $2 : NaN) nooutput\n"
         "set yrange [*:STATS_max > 0 ? STATS_max * 1.5 : 1]\n" SIDES
         "set key top right\n" PLOT("with lines")},
    {.name = "variance-time",
     .section = "dependence",
     .title = "Variance-time plot",
     .caption =
         "Variance of the mean number of arrivals over m intervals of 15 minutes, against m. The "
         "flatter, the longer the past matters.",
     .overlay = variance_time,
     .script = "set xlabel 'log_{10} m'\nset ylabel 'log_{10} of the variance'\n" PLOT_HURST},
    {.name = "hurst-pox",
     .section = "dependence",
     .title = "Pox plot",
     .caption =
         "Rescaled range of the number of arrivals in blocks of hours, against the length of "
         "the block. The slope of each line is the Hurst parameter.",
     .overlay = pox,
     .script = "set xlabel 'log_{10} of the block length (hours)'\nset ylabel 'log_{10} R/S'\n"
               "set key top left\n" PLOT_HURST},
    {.name = "arrivals-acf-scales",
     .section = "dependence",
     .title = "Autocorrelation at four time scales",
     .caption =
         "Autocorrelation of the number of arrivals in intervals of four lengths, against "
         "the lag in such intervals (Minh 2012, figure 4.5): a model whose dependence is that "
         "of the log keeps to it at all of them.",
     .overlay = acf_at_scales,
     .width = 2,
     .height = 0.5,
     .script = "stats data using 1:2 nooutput\nsides = STATS_blocks / 4\n" OTHERS
               "top = !many ? '' : \", data index t * sides using 1:2 with lines " TOP
               "set key top right\nset logscale x\nset xrange [1:*]\n"
               "set xzeroaxis linestyle 9 dashtype 1\n"
               "set multiplot layout 2,2 margins char 9,2,3.5,2.5 spacing char 9,3.5\n"
               "do for [t=0:3] {\n"
               "    set label 1 word('15 30 60 120', t + 1) . ' min' at graph 0.03, 0.07 left\n"
               "    if (t > 1) { set xlabel 'lag (intervals)' }\n"
               "    if (t % 2 == 0) { set ylabel 'autocorrelation' } else { unset ylabel }\n"
               "    plot for [i=0:sides-1] data index t * sides + i using 1:2 with lines \\\n"
               "        linestyle style(i) linewidth width(i) \\\n"
               "        title (t > 0 || (many && i > 1) ? '' : columnheader(2)) noenhanced @top\n"
               "    unset key\n"
               "}\nunset multiplot\n"},
    {.name = "arrivals-hour",
     .section = "cycle",
     .title = "Arrivals by hour of the day",
     .caption = "Share of jobs that arrive in each hour, in local time.",
     .overlay = contrast_by_hour,
     .script = "set xlabel 'hour of the day (local time)'\nset ylabel 'share of jobs (%)'\n"
               "set xrange [-0.5:23.5]\nset xtics 0,3\n" SIDES
               "set yrange [0:*]\nset key top left\n" PLOT_PERCENT("with linespoints")},
    {.name = "arrivals-weekday",
     .section = "cycle",
     .title = "Arrivals by day of the week",
     .caption = "Share of jobs that arrive on each day of the week, in local time.",
     .overlay = by_weekday,
     .script = "set ylabel 'share of jobs (%)'\nset xrange [-0.4:6.4]\n"
               "set xtics ('Mon' 0, 'Tue' 1, 'Wed' 2, 'Thu' 3, 'Fri' 4, 'Sat' 5, 'Sun' 6)\n" SIDES
               "set yrange [0:*]\nset key bottom left\n" PLOT_PERCENT("with linespoints")},
    {.name = "arrivals-week",
     .section = "cycle",
     .title = "Arrivals over the week",
     .caption =
         "Share of jobs that arrive in each hour of the week, in local time (Zakay 2017, chapter "
         "3, figure 4).",
     .overlay = by_hour_of_week,
     .script =
         "set ylabel 'share of jobs (%)'\nset xrange [0:167]\n"
         "set xtics ('Mon' 0, 'Tue' 24, 'Wed' 48, 'Thu' 72, 'Fri' 96, 'Sat' 120, 'Sun' 144)\n"
         "set mxtics 4\n" SIDES "set yrange [0:*]\nset key top right\n" PLOT_PERCENT("with lines")},
    {.name = "runtime-cdf",
     .section = "runtimes",
     .title = "Runtimes",
     .caption =
         "Share of jobs that run for at most the given time (Minh 2012, figure 5.2; Minh 2010, "
         "figure 7).",
     .overlay = cdf,
     .of = "runtime",
     .script = CDF_OF(LOOM_TIME_X, "runtime", "top left")},
    {.name = "runtime-ccdf",
     .section = "runtimes",
     .title = "Long runtimes",
     .caption = "Share of jobs that run for longer than the given time.",
     .overlay = ccdf,
     .of = "runtime",
     .script = CCDF_OF(LOOM_TIME_X, "runtime", "bottom left")},
    {.name = "size-cdf",
     .section = "sizes",
     .title = "Sizes",
     .caption = "Share of jobs of at most the given number of processors (Minh 2012, figure 5.2; "
                "Minh 2010, "
                "figure 7).",
     .overlay = cdf,
     .of = "procs",
     .script = CDF_OF("set logscale x 2\n", "processors", "bottom right")},
    {.name = "work-ccdf",
     .section = "work",
     .title = "Work",
     .caption = "Share of jobs of more than the given number of processor-seconds.",
     .overlay = ccdf,
     .of = "work",
     .script = CCDF_OF(LOOM_LOG_X, "runtime × processors (s)", "bottom left")},
    {.name = "locality-days",
     .section = "locality",
     .title = "Likeness of a day's jobs",
     .caption = "Share of days on which at most the given share of jobs falls into one of 16 bins "
                "of runtimes that hold a sixteenth each over the whole log (Zakay 2017, chapter 3, "
                "figure 5). Without locality, the share would be about a sixteenth on busy days.",
     .overlay = concentration,
     .script = CDF "set xlabel 'share of the fullest bin'\nset xrange [0:1]\n" SIDES
                   "set key bottom right\n" PLOT("with steps")},
    {.name = "bag-size-ccdf",
     .section = "bags",
     .title = "Sizes of bags",
     .caption =
         "Share of bags of more than the given number of jobs, single jobs included (Minh 2012, "
         "figure 5.1; Minh 2010, figure 5).",
     .overlay = ccdf,
     .of = "bag.size",
     .script = CCDF_OF(LOOM_LOG_X, "jobs in the bag", "top right")},
    {.name = "bag-runtime-ccdf",
     .section = "bags",
     .title = "Runtimes of bags",
     .caption = "Share of bags of at least two jobs whose mean runtime is longer than the given "
                "time (Minh 2012, figure 5.1; Minh 2010, figure 5).",
     .overlay = ccdf,
     .of = "bag.runtime",
     .script = CCDF_OF(LOOM_TIME_X, "mean runtime", "bottom left")},
    {.name = "user-jobs",
     .section = "users",
     .title = "Jobs of users",
     .caption =
         "Share of users with at most the given number of jobs (this and the next: Zakay 2017, "
         "chapter 3, figure 4).",
     .overlay = cdf,
     .of = "user.jobs",
     .script = CDF_OF(LOOM_LOG_X, "jobs", "bottom right")},
    {.name = "user-sessions",
     .section = "users",
     .title = "Sessions of users",
     .caption = "Share of users with at most the given number of sessions.",
     .overlay = cdf,
     .of = "user.sessions",
     .script = CDF_OF(LOOM_LOG_X, "sessions", "bottom right")},
    {.name = "user-session-length",
     .section = "users",
     .title = "Session lengths",
     .caption = "Share of users whose sessions take at most the given time on average.",
     .overlay = cdf,
     .of = "user.session_length",
     .script = CDF_OF(LOOM_TIME_X, "mean session length", "top left")},
    {.name = "user-work",
     .section = "users",
     .title = "Work of users",
     .caption = "Share of users whose jobs take at most the given number of processor-seconds.",
     .overlay = cdf,
     .of = "user.work",
     .script = CDF_OF(LOOM_LOG_X, "runtime × processors (s)", "top left")},
    {.name = "user-first",
     .section = "users",
     .title = "When users come",
     .caption = "Share of users whose first job comes within the given time.",
     .overlay = days_cdf,
     .of = "user.first",
     .script = DAYS_OF("bottom right")},
    {.name = "user-last",
     .section = "users",
     .title = "When users leave",
     .caption = "Share of users whose last job comes within the given time.",
     .overlay = days_cdf,
     .of = "user.last",
     .script = DAYS_OF("top left")},
    {.name = "user-period",
     .section = "users",
     .title = "How long users stay",
     .caption = "Share of users whose first and last jobs are at most the given time apart.",
     .overlay = days_cdf,
     .of = "user.period",
     .script = DAYS_OF("bottom right")},
    {.name = "estimate-cdf",
     .section = "estimates",
     .title = "Estimates",
     .caption = "Share of jobs that ask for at most the given time.",
     .overlay = cdf,
     .of = "estimate",
     .script = CDF_OF(LOOM_TIME_X, "estimate", "top left")},
    {.name = NULL},
};
