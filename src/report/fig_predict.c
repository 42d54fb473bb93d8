/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of predictions: errors of all jobs, by class and over time, and stated uncertainties. A
 * predictor has the same line in all figures: the setting `curves` has its number for each block of
 * data.
 */
#include "base/sort.h"
#include "report/predictions.h"
#include "report/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USERS_SHOWN = 20 };

/* ---- lines ----------------------------------------------------------------------------------- */

/* Which predictors have a line in a figure. */
struct lines {
    struct loom_sheet *sheet;
    const struct loom_predictions *predictions;
    char curves[LOOM_RUNS_SHOWN + 1];
    size_t n;
};

static bool open_lines(struct lines *lines, struct loom_sheet *sheet,
                       const struct loom_predictions *predictions)
{
    *lines = (struct lines){.sheet = sheet, .predictions = predictions};
    if (predictions->n > LOOM_RUNS_SHOWN)
        loom_sheet_skip(sheet, "one figure shows at most seven predictors");
    return predictions->n <= LOOM_RUNS_SHOWN;
}

/* Beside others, the yardstick is left out: it is wrong only where runtimes are above the requested
 * time, by so little that the axis would show nothing else. */
static bool has_line(const struct lines *lines, size_t index)
{
    const struct loom_predictor *predictor = lines->predictions->of[index].predictor;
    return lines->predictions->n == 1 ||
           strcmp(loom_predictor_info(predictor)->name, "clairvoyant") != 0;
}

static const char *label_of(const struct lines *lines, size_t index, char *buf, size_t size)
{
    return loom_plain_label(lines->predictions->of[index].text, buf, size);
}

static void note_line(struct lines *lines, size_t index)
{
    lines->curves[lines->n++] = (char)('1' + index);
}

static void open_line(struct lines *lines, size_t index, const char *columns)
{
    char label[61];
    loom_sheet_block(lines->sheet, label_of(lines, index, label, sizeof label), columns);
    note_line(lines, index);
}

static int close_lines(struct lines *lines, const char *without)
{
    loom_sheet_set(lines->sheet, "curves = '%s'\n", lines->curves);
    return lines->n > 0 ? 0 : loom_sheet_skip(lines->sheet, without);
}

/* ---- distributions --------------------------------------------------------------------------- */

typedef double job_value(const struct loom_prediction *said, double run_s);

static double error_of(const struct loom_prediction *said, double run_s)
{
    return fabs(said->run_s - run_s);
}

/* Less than a second is a second, as predictions are at least that. */
static double ratio_of(const struct loom_prediction *said, double run_s)
{
    return said->run_s / fmax(run_s, 1);
}

/* A curve of a value from `least` on; none where no job is above it. */
static int write_curve(struct lines *lines, size_t index, job_value *value, const char *x,
                       double least, struct loom_error *err)
{
    const struct loom_evaluation *evaluation = lines->predictions->of[index].evaluation;
    const struct loom_jobs *jobs = loom_trace_jobs(lines->predictions->trace);
    double *values = malloc((evaluation->n + 1) * sizeof *values);
    char label[61];
    if (!values)
        return loom_fail_memory(err);
    for (size_t i = 0; i < evaluation->n; i++)
        values[i] =
            value(&evaluation->jobs[i].prediction, (double)jobs->run_s[evaluation->jobs[i].row]);
    loom_sort_real(values, evaluation->n);
    if (evaluation->n > 0 && values[evaluation->n - 1] > least) {
        loom_curve_cdf(lines->sheet, label_of(lines, index, label, sizeof label), x, values,
                       evaluation->n, least, false);
        note_line(lines, index);
    }
    free(values);
    return 0;
}

static int error_distribution(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                              const struct loom_figure_ops *ops, struct loom_error *err)
{
    struct lines lines;
    int rc = 0;
    (void)ops;
    if (!open_lines(&lines, sheet, predictions))
        return 0;
    for (size_t i = 0; i < predictions->n && !rc; i++)
        rc = !has_line(&lines, i) ? 0 : write_curve(&lines, i, error_of, "error_s", 1, err);
    return rc ? rc : close_lines(&lines, "no prediction is wrong");
}

static int ratio_distribution(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                              const struct loom_figure_ops *ops, struct loom_error *err)
{
    struct lines lines;
    int rc = 0;
    (void)ops;
    if (!open_lines(&lines, sheet, predictions))
        return 0;
    for (size_t i = 0; i < predictions->n && !rc; i++)
        rc = !has_line(&lines, i)
                 ? 0
                 : write_curve(&lines, i, ratio_of, "prediction_over_runtime", 0.01, err);
    return rc ? rc : close_lines(&lines, "no job was predicted");
}

/* ---- by class -------------------------------------------------------------------------------- */

typedef double class_value(const struct loom_prediction_errors *errors);

static double mae_of(const struct loom_prediction_errors *errors)
{
    return errors->mae_s > 0 ? errors->mae_s : NAN; /* 0 has no place on a logarithmic axis */
}

static double underestimated_of(const struct loom_prediction_errors *errors)
{
    return errors->underestimated_fraction;
}

static double covered_of(const struct loom_prediction_errors *errors)
{
    return errors->width_s > 0 ? errors->covered_fraction : NAN;
}

static enum loom_predicted_by by_of(const struct loom_figure_ops *ops)
{
    int by = 0;
    while (strcmp(loom_predicted_by_name((enum loom_predicted_by)by), ops->of) != 0)
        by++;
    return (enum loom_predicted_by)by;
}

/* A tick of the axis: the end of the class, as the axis says "up to". */
static const char *tick_of(const struct loom_prediction_classes *classes, size_t index, char *buf,
                           size_t size)
{
    char text[120];
    loom_prediction_class_text(classes, index, NULL, text, sizeof text);
    if (loom_prediction_classes_by(classes) == LOOM_PREDICTED_BY_SIZE)
        snprintf(buf, size, "%.15g", (double)loom_prediction_classes_at(classes, index)->to);
    else if (strncmp(text, "up to ", 6) == 0)
        snprintf(buf, size, "%s", text + 6);
    else
        snprintf(buf, size, "%s", strncmp(text, "over", 4) == 0 ? "longer" : text);
    return buf;
}

static bool has_values(const struct loom_prediction_classes *classes, class_value *value)
{
    const struct loom_prediction_class *class;
    for (size_t c = 0; (class = loom_prediction_classes_at(classes, c)); c++)
        if (isfinite(value(&class->errors)))
            return true;
    return false;
}

static void write_classes(struct lines *lines, size_t index,
                          const struct loom_prediction_classes *classes, class_value *value,
                          const char *columns)
{
    const struct loom_prediction_class *class;
    char tick[120];
    if (!has_line(lines, index) || !has_values(classes, value))
        return;
    open_line(lines, index, columns);
    for (size_t c = 0; (class = loom_prediction_classes_at(classes, c)); c++)
        loom_sheet_labelled(lines->sheet,
                            (const double[]){(double)c, value(&class->errors),
                                             (double)class->errors.jobs},
                            3, tick_of(classes, c, tick, sizeof tick));
}

static int by_class(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                    enum loom_predicted_by by, class_value *value, const char *columns,
                    struct loom_error *err)
{
    struct loom_prediction_classes **all = NULL;
    struct lines lines;
    if (!open_lines(&lines, sheet, predictions))
        return 0;
    int rc = loom_all_classes(&all, predictions, by, err);
    if (rc)
        return rc;
    if (!loom_prediction_classes_at(all[0], 1))
        rc = loom_sheet_skip(sheet, "all jobs are of one class");
    else
        for (size_t i = 0; i < predictions->n; i++)
            write_classes(&lines, i, all[i], value, columns);
    loom_all_classes_free(all, predictions->n);
    return sheet->reason ? 0 : close_lines(&lines, "no prediction is wrong");
}

static int class_errors(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                        const struct loom_figure_ops *ops, struct loom_error *err)
{
    return by_class(sheet, predictions, by_of(ops), mae_of, "index,mae_s,jobs,class", err);
}

static int class_underestimates(struct loom_sheet *sheet,
                                const struct loom_predictions *predictions,
                                const struct loom_figure_ops *ops, struct loom_error *err)
{
    return by_class(sheet, predictions, by_of(ops), underestimated_of,
                    "index,underestimated_fraction,jobs,class", err);
}

/* ---- by user --------------------------------------------------------------------------------- */

/* Find the users with the most jobs, as indices of classes; returns how many there are. */
static size_t most_active(size_t out[USERS_SHOWN], const struct loom_prediction_classes *classes)
{
    const struct loom_prediction_class *class;
    size_t n = 0;
    for (size_t c = 0; (class = loom_prediction_classes_at(classes, c)); c++) {
        if (class->to < 0)
            continue;
        size_t at = n < USERS_SHOWN ? n++ : USERS_SHOWN;
        for (; at > 0 &&
               loom_prediction_classes_at(classes, out[at - 1])->errors.jobs < class->errors.jobs;
             at--)
            if (at < USERS_SHOWN)
                out[at] = out[at - 1];
        if (at < USERS_SHOWN)
            out[at] = c;
    }
    return n;
}

static void write_users(struct lines *lines, size_t index,
                        const struct loom_prediction_classes *classes, const size_t *users,
                        size_t n)
{
    char name[120], label[61];
    if (!has_line(lines, index) || !has_values(classes, mae_of))
        return;
    open_line(lines, index, "rank,mae_s,jobs,user");
    for (size_t i = 0; i < n; i++) {
        const struct loom_prediction_class *class = loom_prediction_classes_at(classes, users[i]);
        loom_prediction_class_text(classes, users[i], lines->predictions->trace, name, sizeof name);
        loom_sheet_labelled(lines->sheet,
                            (const double[]){(double)(i + 1), mae_of(&class->errors),
                                             (double)class->errors.jobs},
                            3, loom_plain_label(name, label, sizeof label));
    }
}

static int user_errors(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                       const struct loom_figure_ops *ops, struct loom_error *err)
{
    struct loom_prediction_classes **all = NULL;
    size_t users[USERS_SHOWN];
    struct lines lines;
    (void)ops;
    if (!open_lines(&lines, sheet, predictions))
        return 0;
    int rc = loom_all_classes(&all, predictions, LOOM_PREDICTED_BY_USER, err);
    if (rc)
        return rc;
    size_t n = most_active(users, all[0]);
    if (n < 2)
        rc = loom_sheet_skip(sheet, "fewer than two users are known");
    else
        for (size_t i = 0; i < predictions->n; i++)
            write_users(&lines, i, all[i], users, n);
    loom_all_classes_free(all, predictions->n);
    return sheet->reason ? rc : close_lines(&lines, "no prediction is wrong");
}

/* ---- over time ------------------------------------------------------------------------------- */

static void write_periods(struct lines *lines, size_t index,
                          const struct loom_prediction_classes *classes, class_value *value,
                          const char *columns)
{
    const struct loom_prediction_class *class;
    int64_t first_s = loom_prediction_classes_at(classes, 0)->from;
    if (!has_line(lines, index) || !has_values(classes, value))
        return;
    open_line(lines, index, columns);
    for (size_t c = 0; (class = loom_prediction_classes_at(classes, c)); c++)
        loom_sheet_row3(lines->sheet, (double)class->from - (double)first_s, value(&class->errors),
                        (double)class->errors.jobs);
}

static int over_time(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                     class_value *value, const char *columns, struct loom_error *err)
{
    struct loom_prediction_classes **all = NULL;
    const struct loom_prediction_class *last = NULL;
    struct lines lines;
    if (!open_lines(&lines, sheet, predictions))
        return 0;
    int rc = loom_all_classes(&all, predictions, LOOM_PREDICTED_BY_TIME, err);
    if (rc)
        return rc;
    for (size_t c = 0; loom_prediction_classes_at(all[0], c); c++)
        last = loom_prediction_classes_at(all[0], c);
    if (!loom_prediction_classes_at(all[0], 1))
        loom_sheet_skip(sheet, "all jobs were submitted within an hour");
    else
        loom_unit_set(sheet, last->to - loom_prediction_classes_at(all[0], 0)->from,
                      predictions->n);
    for (size_t i = 0; i < predictions->n && !sheet->reason; i++)
        write_periods(&lines, i, all[i], value, columns);
    loom_all_classes_free(all, predictions->n);
    return sheet->reason ? 0 : close_lines(&lines, "no prediction is wrong");
}

static int time_errors(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                       const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)ops;
    return over_time(sheet, predictions, mae_of, "time_s,mae_s,jobs", err);
}

static int time_underestimates(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                               const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)ops;
    return over_time(sheet, predictions, underestimated_of, "time_s,underestimated_fraction,jobs",
                     err);
}

static int time_coverage(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                         const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)ops;
    return over_time(sheet, predictions, covered_of, "time_s,interval_80_covered,jobs", err);
}

/* ---- scripts --------------------------------------------------------------------------------- */

#define LINES                                                   \
    "stats data using 2 nooutput name 'Y'\nblocks = Y_blocks\n" \
    "curve(i) = int(curves[i + 1:i + 1])\n"                     \
    "filled(i) = int(word('7 5 9 13 11 7 5', curve(i)))\n"      \
    "set key above center horizontal maxrows 3\nif (blocks == 1) { unset key }\n"
#define PLOT(how, more, what)                                       \
    "plot for [i=0:blocks-1] data index i using " what " with " how \
    " linestyle curve(i) \\\n    linewidth wide(i, blocks) " more " title columnheader(2)\n"
#define PLOT_LINES(what) PLOT("lines", "", what)
#define PLOT_STEPS(what) PLOT("steps", "", what)
#define PLOT_POINTS(what) PLOT("linespoints", "pointtype filled(i) pointsize 0.6", what)
#define PLOT_CLASSES(y) PLOT_POINTS("1:(" y "):xticlabels(4)")
#define ERROR_Y "set ylabel 'mean absolute error'\n" LOOM_TIME_Y
#define SHARE_Y(what) "set ylabel '" what " (%)'\nset yrange [0:*]\n"
#define CLASS_X "set offsets 0.3, 0.3, 0, 0\nset grid noxtics\n"
#define SINCE LOOM_UNIT_X("since the first evaluated job") "set xrange [0:*]\n"

#define ERRORS_BY(kind, heading, axis)                                                     \
    {                                                                                      \
        .name = "error-" kind, .section = "classes", .title = "Error by " heading,         \
        .caption = "Mean absolute error of the jobs in each class (Minh 2012, eq. 8.10).", \
        .of = kind, .predictions = class_errors,                                           \
        .script = "set xlabel '" axis "'\n" ERROR_Y CLASS_X LINES PLOT_CLASSES("$2")       \
    }
#define UNDERESTIMATES_BY(kind, heading, axis)                                                \
    {                                                                                         \
        .name = "underestimated-" kind, .section = "classes",                                 \
        .title = "Underestimates by " heading,                                                \
        .caption = "Share of jobs in each class that ran longer than predicted.", .of = kind, \
        .predictions = class_underestimates,                                                  \
        .script = "set xlabel '" axis "'\n" SHARE_Y("underestimated jobs")                    \
            CLASS_X LINES PLOT_CLASSES("100 * $2")                                            \
    }

const struct loom_figure_ops loom_figures_prediction[] = {
    {.name = "error-distribution",
     .section = "errors",
     .title = "Distribution of errors",
     .caption = "Share of jobs whose prediction is off by at most this much.",
     .predictions = error_distribution,
     .script = LOOM_TIME_X "set xlabel 'absolute error'\nset ylabel 'jobs (%)'\n"
                           "set yrange [0:100]\n" LINES PLOT_STEPS("1:(100 * $2)")},
    {.name = "prediction-ratio",
     .section = "errors",
     .title = "Prediction over runtime",
     .caption = "Share of jobs whose prediction is at most this multiple of the runtime. Jobs left "
                "of 1 are underestimated.",
     .predictions = ratio_distribution,
     .script = "set logscale x\nset xrange [0.01:100]\nset xlabel 'prediction / runtime'\n"
               "set xtics (0.01, 0.1, 0.5, 1, 2, 10, 100)\n"
               "set ylabel 'jobs (%)'\nset yrange [0:100]\n"
               "set arrow from 1, graph 0 to 1, graph 1 nohead linestyle 9\n" LINES PLOT_STEPS(
                   "1:(100 * $2)")},
    ERRORS_BY("runtime", "runtime", "runtime, up to"),
    UNDERESTIMATES_BY("runtime", "runtime", "runtime, up to"),
    ERRORS_BY("request", "requested time", "requested time, up to"),
    UNDERESTIMATES_BY("request", "requested time", "requested time, up to"),
    ERRORS_BY("size", "size", "processors, up to"),
    {.name = "error-user",
     .section = "classes",
     .title = "Error by user",
     .caption = "Mean absolute error of the jobs of each of the 20 users with the most jobs; the "
                "table has their names.",
     .predictions = user_errors,
     .script = "set xlabel 'user, by number of jobs'\nset xrange [0.5:*]\n" ERROR_Y LINES
         PLOT("points", "pointtype filled(i) pointsize 0.7", "1:2")},
    {.name = "error-time",
     .section = "time",
     .title = "Error over time",
     .caption = "Mean absolute error of the jobs submitted in each period.",
     .predictions = time_errors,
     .script = SINCE ERROR_Y LINES PLOT_LINES("($1 / unit_s):2")},
    {.name = "underestimated-time",
     .section = "time",
     .title = "Underestimates over time",
     .caption = "Share of the jobs submitted in each period that ran longer than predicted.",
     .predictions = time_underestimates,
     .script = SINCE SHARE_Y("underestimated jobs") LINES PLOT_LINES("($1 / unit_s):(100 * $2)")},
    {.name = NULL},
};

/* ---- uncertainty ----------------------------------------------------------------------------- */

static int write_calibration(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                             bool coverage, struct loom_error *err)
{
    struct lines lines;
    int rc = 0;
    if (!open_lines(&lines, sheet, predictions))
        return 0;
    for (size_t i = 0; i < predictions->n && !rc; i++) {
        const struct loom_evaluation *evaluation = predictions->of[i].evaluation;
        struct loom_calibration calibration;
        if (!has_line(&lines, i))
            continue;
        rc = loom_calibration(&calibration, evaluation, predictions->trace, err);
        if (rc || calibration.n == 0 || !(evaluation->errors.width_s > 0))
            continue;
        open_line(&lines, i, coverage ? "width_s,interval_80_covered,jobs" : "width_s,mae_s,jobs");
        for (size_t b = 0; b < calibration.n; b++)
            loom_sheet_row3(sheet, calibration.bins[b].width_s,
                            coverage ? calibration.bins[b].covered_fraction
                                     : calibration.bins[b].error_s,
                            (double)calibration.bins[b].jobs);
    }
    return rc ? rc : close_lines(&lines, "fewer than ten predictions have an interval");
}

static int calibration_coverage(struct loom_sheet *sheet,
                                const struct loom_predictions *predictions,
                                const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)ops;
    return write_calibration(sheet, predictions, true, err);
}

static int calibration_errors(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                              const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)ops;
    return write_calibration(sheet, predictions, false, err);
}

#define WIDTH_X "set xlabel 'width of the interval, as stated'\n" LOOM_TIME_X
#define AT_LEAST_1(column) "($" column " < 1 ? 1 : $" column ")"
#define EIGHTY "set arrow from graph 0, first 80 to graph 1, first 80 nohead linestyle 9\n"

const struct loom_figure_ops loom_figures_uncertainty[] = {
    {.name = "calibration",
     .section = "uncertainty",
     .title = "Calibration of intervals",
     .caption =
         "Share of runtimes inside the 80 % interval, by its width: ten bins of equally many "
         "jobs. Right intervals contain 80 % in every bin (dashed line).",
     .predictions = calibration_coverage,
     .script = WIDTH_X "set ylabel 'runtimes inside (%)'\nset yrange [0:100]\n" EIGHTY LINES
         PLOT_POINTS(AT_LEAST_1("1") ":(100 * $2)")},
    {.name = "uncertainty-error",
     .section = "uncertainty",
     .title = "Error by stated uncertainty",
     .caption = "Mean absolute error by the width of the 80 % interval, in the same bins. "
                "Uncertainty that can be trusted grows with the error.",
     .predictions = calibration_errors,
     .script = WIDTH_X ERROR_Y LINES PLOT_POINTS(AT_LEAST_1("1") ":" AT_LEAST_1("2"))},
    {.name = "coverage-time",
     .section = "uncertainty",
     .title = "Calibration over time",
     .caption = "Share of runtimes inside the 80 % interval, of the jobs submitted in each period.",
     .predictions = time_coverage,
     .script = SINCE "set ylabel 'runtimes inside (%)'\nset yrange [0:100]\n" EIGHTY LINES
         PLOT_LINES("($1 / unit_s):(100 * $2)")},
    {.name = NULL},
};
