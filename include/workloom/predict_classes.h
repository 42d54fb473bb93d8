/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * predict_classes.h - how good predictions are by class of jobs and over time, and how far the
 * uncertainty that a predictor states can be trusted. All of it is computed from an evaluation
 * (predict.h).
 */
#ifndef WORKLOOM_PREDICT_CLASSES_H
#define WORKLOOM_PREDICT_CLASSES_H

#include <workloom/predict.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How evaluated jobs are classified.
 *
 *     size     processors: 1, 2, 3-4, 5-8, ..., each class up to a power of two
 *     runtime  up to 10 s, 1 min, 10 min, 1 h, 6 h, 1 day, and longer
 *     request  requested time, with the same limits
 *     user     one class per user
 *     queue    one class per queue
 *     time     periods of submission: hours, days, weeks, 4 weeks, years, or multiples of 10 years,
 *              the shortest of which there are at most 60
 */
enum loom_predicted_by {
    LOOM_PREDICTED_BY_SIZE,
    LOOM_PREDICTED_BY_RUNTIME,
    LOOM_PREDICTED_BY_REQUEST,
    LOOM_PREDICTED_BY_USER,
    LOOM_PREDICTED_BY_QUEUE,
    LOOM_PREDICTED_BY_TIME,
};
enum { LOOM_PREDICTED_BYS = 6 };

/* Return the name of a way to classify: "size", "runtime", ... Static. */
LOOM_API const char *loom_predicted_by_name(enum loom_predicted_by by);

/* The jobs of one class. from and to are its limits, both included: processors, seconds, the number
 * of a user or queue, or the submit time in the log; -1 is unknown. */
struct loom_prediction_class {
    int64_t from, to; /* to is INT64_MAX for the longest jobs */
    struct loom_prediction_errors errors;
    double error_share; /* of the sum of absolute errors of all jobs; NAN if that is 0 */
};

/* All classes that have jobs, ascending. */
struct loom_prediction_classes;

/* Compute the errors of an evaluation by class into *out. trace is the one that was evaluated, and
 * is not kept. The caller must destroy the result. Fails with LOOM_ENOMEM. */
LOOM_API int loom_prediction_classes_create(struct loom_prediction_classes **out,
                                            const struct loom_evaluation *evaluation,
                                            const struct loom_trace *trace,
                                            enum loom_predicted_by by, struct loom_error *err);
/* Destroy classes; NULL is allowed. */
LOOM_API void loom_prediction_classes_destroy(struct loom_prediction_classes *classes);
/* Return how the jobs are classified. */
LOOM_API enum loom_predicted_by
loom_prediction_classes_by(const struct loom_prediction_classes *classes);
/* Return the class at an index, borrowed; NULL past the last. */
LOOM_API const struct loom_prediction_class *
loom_prediction_classes_at(const struct loom_prediction_classes *classes, size_t index);
/* Format the name of the class at an index into buf and return buf: "3-4", "up to 1 min", the name
 * of a user or queue in the trace, which may be NULL, or when a period begins: "2004-03-01", or
 * "day 12" where the log does not say when it began. */
LOOM_API const char *loom_prediction_class_text(const struct loom_prediction_classes *classes,
                                                size_t index, const struct loom_trace *trace,
                                                char *buf, size_t size);

enum { LOOM_CALIBRATION_BINS = 10 };

/* Predictions with an interval, in bins of equally many jobs by the interval's width. Right
 * intervals contain the runtime in 80 % of the jobs of every bin, and wider ones go with larger
 * errors. */
struct loom_calibration {
    size_t n; /* bins; 0 if fewer than LOOM_CALIBRATION_BINS predictions have an interval */
    struct loom_calibration_bin {
        int64_t jobs;
        double width_s; /* mean, as stated */
        double error_s; /* mean absolute error */
        double covered_fraction;
    } bins[LOOM_CALIBRATION_BINS];
};

/* Compute the calibration of an evaluation of a trace into *out. Fails with LOOM_ENOMEM. */
LOOM_API int loom_calibration(struct loom_calibration *out,
                              const struct loom_evaluation *evaluation,
                              const struct loom_trace *trace, struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
