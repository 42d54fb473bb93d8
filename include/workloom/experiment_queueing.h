/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment_queueing.h - semi-open queueing models fitted to a log, and how well they predict.
 *
 * The mixed model is an abstraction of TBUOS (Zakay 2017, chapter 6): temporary users are its open
 * class, long-term users its closed class. The machine is one server, and a job occupies it for S,
 * the machine's seconds per job: processors times runtime over the processors of the machine. The
 * rest of a runtime, in which other jobs run beside, counts as thinking.
 */
#ifndef WORKLOOM_EXPERIMENT_QUEUEING_H
#define WORKLOOM_EXPERIMENT_QUEUEING_H

#include <workloom/experiment.h>
#include <workloom/queueing.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rates are per second. */
struct loom_queueing_fit {
    uint64_t long_term, temporary; /* users of each kind */
    double service_s;              /* S: mean work of a job over the processors */
    /* Mixed model: */
    double lambda;  /* jobs of temporary users */
    uint64_t users; /* N: long-term users */
    double think_s; /* Z: from the end of a job's share of the machine to the next submission */
    /* Re-open model, whose users are the temporary ones: */
    double user_lambda;   /* arrivals of users */
    double repeat;        /* p: constant probability of another job */
    double user_think_s;  /* from the end of a job to the next submission */
    double jobs_per_user; /* 1 / (1 - p) */
    /* Of long-term users in the log, for comparison: */
    double cycle_s;    /* between submissions of one of them, in rounds of whole weeks */
    double wait_s;     /* time in which a user has jobs waiting, per job */
    double response_s; /* mean of their jobs */
};

/* Fit both models to the users of a log; rule may be NULL: loom_user_rule(). procs is the size of
 * the machine, 0 for the log's. LOOM_EDATA if no job has a user, or no user is temporary or
 * long-term, or no runtime is known. */
LOOM_API int loom_queueing_fit(struct loom_queueing_fit *out, const struct loom_trace *trace,
                               int64_t procs, const struct loom_user_rule *rule,
                               struct loom_error *err);

/* Return the mixed model of a fit, with the numbers of users of both classes multiplied. */
LOOM_API struct loom_queueing_model loom_queueing_fit_mixed(const struct loom_queueing_fit *fit,
                                                            double load_factor);

/* Return the model of a fit whose temporary users repeat, beside its long-term users. */
LOOM_API struct loom_queueing_model loom_queueing_fit_reopen(const struct loom_queueing_fit *fit,
                                                             double load_factor);

/* What a fitted model predicts, and what TBUOS simulates, for a number of users. */
struct loom_queueing_prediction {
    double load_factor; /* of the numbers of users; to be set */
    bool stable;        /* else the model has no steady state, and its numbers are NAN */
    double throughput;  /* of the model, in jobs per second */
    double utilization;
    struct loom_estimate simulated_throughput; /* of TBUOS, over replications */
    struct loom_estimate simulated_utilization;
};

/* How to simulate: the trace and all that a scenario has, with its users (a population). */
struct loom_queueing_comparison {
    struct loom_scenario scenario;     /* users is set for each load factor */
    const char *behaviour;             /* "fluid" */
    const struct loom_user_rule *rule; /* as of the fit */
    uint64_t replications;
    double confidence;
};

/* Fill n predictions, whose load factors are set: solve the mixed model of the fit, and simulate
 * the log by TBUOS, in parallel on a pool (may be NULL). Fails as loom_sweep_run. */
LOOM_API int loom_queueing_predict(struct loom_queueing_prediction *predictions, size_t n,
                                   const struct loom_queueing_fit *fit,
                                   const struct loom_queueing_comparison *how,
                                   struct loom_pool *pool, struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
