/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * predict.h - runtime prediction: what is known of a job before it ends, how a simulation
 * gets estimates, predictors by name, and their evaluation on a log.
 *
 * Without an estimator, a simulation takes the requested time as the estimate. With one, calls come
 * in the order of simulated time:
 *
 *     estimate   when a job is submitted
 *     started    when it starts: from here to its end it is among the running jobs
 *     correct    when its estimate runs out before it ends
 *     learn      when it ends
 *
 * A job that is rejected or dropped is in none of these calls. One estimator serves one simulation
 * at a time, from one thread.
 *
 * A predictor learns from the jobs that have ended and predicts the runtimes of those submitted.
 * loom_predictor_estimator() makes an estimator of it. A prediction is at least 1 s and at most the
 * requested time, where that is known.
 */
#ifndef WORKLOOM_PREDICT_H
#define WORKLOOM_PREDICT_H

#include <workloom/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A job as it is known before it ends; the same in all calls about it. -1 is unknown, but `procs`
 * and `submit_s` are always known. */
struct loom_job_view {
    int64_t submit_s;
    int64_t request_s; /* requested time, after the overrun rule */
    double req_mem_kib;
    int32_t procs;
    int32_t user, group, executable, queue;
    /* Origin and number identify a job. The origin is 0 or, for a local job of a cluster of a grid,
     * 1 + the cluster's index: users, groups, executables and queues of different origins are
     * different even if their numbers are equal. */
    uint32_t origin, number;
};

/* An estimator of runtimes. Views are borrowed for the call. Only `estimate` must be there, or
 * `foresee`. */
struct loom_estimator {
    void *self;
    /* Return the estimate for a job being submitted, in seconds, clamped to 1 to 2^48. */
    int64_t (*estimate)(void *self, const struct loom_job_view *job);
    /* Return the next estimate for a running job whose last one, ran_s, has run out: its whole
     * runtime, in seconds. Raised to ran_s + 1 if it is less. NULL doubles the last one. */
    int64_t (*correct)(void *self, const struct loom_job_view *job, int64_t ran_s);
    /* Note that a job starts at start_s. May be NULL. A failure ends the run. */
    int (*started)(void *self, const struct loom_job_view *job, int64_t start_s,
                   struct loom_error *err);
    /* Note that a job has ended after run_s, its runtime or the time after which it was killed. May
     * be NULL. A failure ends the run. */
    int (*learn)(void *self, const struct loom_job_view *job, int64_t run_s,
                 struct loom_error *err);
    /* If set, called in place of `estimate`, with the runtime: a yardstick, which no scheduler has.
     */
    int64_t (*foresee)(void *self, const struct loom_job_view *job, int64_t run_s);
};

/* ---- predictors ------------------------------------------------------------------------------ */

struct loom_predictor_info {
    const char *name;
    const char *summary;
    const struct loom_param *params; /* NULL: none */
};

/* Return the predictor at an index, for listings; NULL past the last. Static. */
LOOM_API const struct loom_predictor_info *loom_predictor_at(size_t index);

/* The prediction of one runtime. */
struct loom_prediction {
    double run_s; /* at least 1, at most the requested time and 2^48 */
    /* Quantiles 0.1 and 0.9 of the runtime: it lies between them with probability 0.8. run_s lies
     * between them, and low_s is not below 0. Both are NAN if the predictor does not give them. */
    double low_s, high_s;
};

/* A predictor and what it has learned. Used by one thread at a time. */
struct loom_predictor;

/* Create a predictor in *out from its name and parameters, "recent2", "minh2010:k1=5,n1=4000", or
 * from a parameter file that loom_tuning_save wrote, "FILE.json". The caller must destroy it. Fails
 * with LOOM_EUSAGE or LOOM_ERANGE for an unknown name, parameter or value, with LOOM_EDATA for a
 * file of another predictor or version, and LOOM_ENOMEM. */
LOOM_API int loom_predictor_create(struct loom_predictor **out, const char *text,
                                   struct loom_error *err);
/* Destroy a predictor; NULL is allowed. */
LOOM_API void loom_predictor_destroy(struct loom_predictor *predictor);
/* Forget all that was learned. Fails with LOOM_ENOMEM. */
LOOM_API int loom_predictor_reset(struct loom_predictor *predictor, struct loom_error *err);
/* Return the predictor's entry in the list. Static. */
LOOM_API const struct loom_predictor_info *
loom_predictor_info(const struct loom_predictor *predictor);
/* Return the parameters, or NULL if it has none. Valid as long as the predictor. */
LOOM_API const struct loom_params *loom_predictor_params(const struct loom_predictor *predictor);

/* Predict the runtime of a job being submitted into *out. Numbers of one origin must be consecutive
 * from 0. run_s is the runtime, for yardsticks only: no other predictor looks at it. Fails with
 * LOOM_ENOMEM. */
LOOM_API int loom_predictor_predict(struct loom_prediction *out, struct loom_predictor *predictor,
                                    const struct loom_job_view *job, int64_t run_s,
                                    struct loom_error *err);
/* Note that a predicted job starts at start_s. Fails with LOOM_ENOMEM. */
LOOM_API int loom_predictor_started(struct loom_predictor *predictor,
                                    const struct loom_job_view *job, int64_t start_s,
                                    struct loom_error *err);
/* Learn from a job that has ended after run_s. Fails with LOOM_ENOMEM. */
LOOM_API int loom_predictor_learn(struct loom_predictor *predictor, const struct loom_job_view *job,
                                  int64_t run_s, struct loom_error *err);

/* How a prediction that runs out is corrected: the requested time; the prediction and 1, 5, 15, 30
 * min, 1, 2, 5, 10, 20, 50, 100 h, one after the other, at most the requested time; or twice the
 * time the job ran. A prediction that reached the requested time is doubled. */
enum loom_correction {
    LOOM_CORRECTION_REQUESTED,
    LOOM_CORRECTION_INCREMENTAL,
    LOOM_CORRECTION_DOUBLE,
};
enum { LOOM_CORRECTIONS = 3 };
/* Return the name of a correction: "requested", ... Static. */
LOOM_API const char *loom_correction_name(enum loom_correction correction);

/* How good predictions of some jobs are (Minh 2012, eq. 8.10 to 8.12). NAN without jobs. */
struct loom_prediction_errors {
    int64_t jobs;
    double underestimated_fraction; /* predicted below the runtime */
    double mae_s;                   /* mean absolute error */
    double wae_s;                   /* weighted by processors and runtime */
    double ne;                      /* sum of absolute errors over sum of runtimes */
    double bias_s;                  /* mean of prediction minus runtime */
    int64_t intervals;              /* predictions with an interval */
    double covered_fraction;        /* of them, those with the runtime inside; 0.8 is right */
    double below_fraction, above_fraction; /* outside; 0.1 each is right */
    double width_s;                        /* mean of high - low */
    /* Mean interval score: width, and 10 times the distance of a runtime outside (Gneiting and
     * Raftery 2007, eq. 43, level 0.2). Lower is better; wide and missed intervals cost. */
    double interval_score_s;
};

/* Return an estimator that asks the predictor, which it borrows. */
LOOM_API struct loom_estimator loom_predictor_estimator(struct loom_predictor *predictor,
                                                        enum loom_correction correction);
/* Return the errors of the predictions it made as an estimator, of the jobs that have ended. */
LOOM_API struct loom_prediction_errors
loom_predictor_errors(const struct loom_predictor *predictor);
/* Return how many jobs it predicted as an estimator that had no requested time. */
LOOM_API int64_t loom_predictor_requests_unknown(const struct loom_predictor *predictor);

/* ---- evaluation ------------------------------------------------------------------------------ */

/* A prediction that was evaluated. */
struct loom_predicted_job {
    uint32_t row; /* in the trace */
    struct loom_prediction prediction;
};

struct loom_evaluation {
    size_t history;           /* jobs that were history only, of the first part */
    int64_t waits_unknown;    /* jobs taken to start at submission */
    int64_t requests_unknown; /* jobs without requested time, ... */
    int64_t memory_unknown, users_unknown, groups_unknown, queues_unknown, executables_unknown;
    int64_t left_out;                /* jobs without submit time, runtime or processors */
    struct loom_predicted_job *jobs; /* those evaluated, in the order of submission */
    size_t n;
    struct loom_prediction_errors errors; /* of all of them */
};

/* Predict the jobs of a log as they were submitted: what has ended by a job's submission, by the
 * log's own waits and runtimes, is known then. The first `train` (0 to 1) of the jobs, by
 * submission, is history only. The predictor is reset first. The caller must call
 * loom_evaluation_free. Fails with LOOM_EDATA if fewer than two jobs can be predicted, LOOM_ENOMEM.
 */
LOOM_API int loom_evaluate(struct loom_evaluation *out, struct loom_predictor *predictor,
                           const struct loom_trace *trace, double train, struct loom_error *err);
/* Free what an evaluation holds. */
LOOM_API void loom_evaluation_free(struct loom_evaluation *evaluation);
/* Compute the errors of the evaluated jobs at indices first to end - 1 that `wanted` (NULL: all)
 * selects; it is called with the index of a job. */
LOOM_API struct loom_prediction_errors
loom_evaluation_errors(const struct loom_evaluation *evaluation, const struct loom_trace *trace,
                       size_t first, size_t end, bool (*wanted)(const void *context, size_t index),
                       const void *context);

/* ---- training -------------------------------------------------------------------------------- */

enum { LOOM_TUNE_LEAST = 100 }; /* jobs that training needs */

struct loom_tune_options {
    double train; /* first part of the jobs to train with, 0 to 1 */
    size_t population, generations;
    size_t patience; /* generations without improvement after which it stops */
    uint64_t seed;
    struct loom_pool *pool;         /* NULL: the calling thread */
    struct loom_progress *progress; /* counts individuals; may be NULL */
};

/* Return defaults: the first half, population 50, 30 generations, patience 10, seed 1. */
LOOM_API struct loom_tune_options loom_tune_options(void);

/* Trained parameters of a predictor. */
struct loom_tuning {
    const struct loom_predictor_info *info;
    struct loom_params *params;
    double fitness; /* Minh 2012, eq. 8.9, on the training jobs */
    int64_t jobs;   /* trained with */
    size_t generations;
};

/* Train a predictor that has something to train (minh2010, ibl) on the first part of a log, by a
 * genetic algorithm. Parameters that are given with its name keep their values. The same seed gives
 * the same parameters for any number of threads. options may be NULL. The caller must call
 * loom_tuning_free. Fails with LOOM_EUSAGE for other predictors, LOOM_EDATA with too few jobs,
 * LOOM_ERANGE, LOOM_ENOMEM. */
LOOM_API int loom_tune(struct loom_tuning *out, const char *predictor,
                       const struct loom_trace *trace, const struct loom_tune_options *options,
                       struct loom_error *err);
/* Free what a tuning holds. */
LOOM_API void loom_tuning_free(struct loom_tuning *tuning);
/* Write a tuning as a parameter file, which loom_predictor_create reads; origin (may be NULL) says
 * what made it. */
LOOM_API int loom_tuning_save(const struct loom_tuning *tuning, struct loom_output *out,
                              const char *origin, struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
