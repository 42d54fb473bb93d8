/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment_queueing.h - semi-open queueing models fitted to a log, and how well they predict.
 *
 * The machine is one server, and a job occupies it for S, the machine's seconds per job: processors
 * times runtime over the processors of the machine. The rest of a runtime, while other jobs run
 * too, counts as think time.
 *
 * The mixed model is an abstraction of TBUOS (Zakay 2017, chapter 6): temporary users are its open
 * class, long-term users its closed class. In the re-open model all users are temporary, and come
 * for a session; whether they go on after a batch of jobs may depend on its response.
 */
#ifndef WORKLOOM_EXPERIMENT_QUEUEING_H
#define WORKLOOM_EXPERIMENT_QUEUEING_H

#include <workloom/experiment.h>
#include <workloom/queueing.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A rule for another batch, with the value for which it expects as many as the log has. */
struct loom_queueing_rule_fit {
    struct loom_repeat repeat; /* per second; value NAN where none fits */
    double misfit; /* root mean square difference from the observed shares, over bins; NAN likewise
                    */
};

/* Batches of about the same response, and the share that another batch of the session follows. */
struct loom_queueing_bin {
    double response_s;       /* mean */
    double share, low, high; /* with Wilson's 95 % interval */
    uint64_t batches;
};

enum { LOOM_QUEUEING_RULE_FITS = 3, LOOM_QUEUEING_RESPONSE_BINS = 12 };

/* The re-open model: an open user is a session, and what is served at once is a batch of jobs. A
 * session ends where the next job comes more than 20 minutes after the end of the job before
 * (LOOM_SESSION_LAST, as Shmueli has them), a batch where it comes after that end. Rates are per
 * second. */
struct loom_queueing_sessions {
    uint64_t sessions, batches, jobs;
    double lambda;    /* sessions */
    double service_s; /* S of a batch */
    /* Their distribution, hyperexponential:3, for rules that depend on the response; ops NULL where
     * it has no fit: exponential. */
    struct loom_dist service_dist;
    double think_s; /* from the end of a batch's share of the machine to the next batch */
    /* By enum loom_repeat_rule, from LOOM_REPEAT_CONSTANT on. The response is as in the model: the
     * time with jobs waiting, and the batch's share of the machine. */
    struct loom_queueing_rule_fit rules[LOOM_QUEUEING_RULE_FITS];
    /* SCALE of Shmueli's rule for responses as users see them, of the last job of a batch, in
     * minutes; 1 in the text; NAN where none fits. */
    double shmueli_per_minute;
    size_t n_bins;
    struct loom_queueing_bin bins[LOOM_QUEUEING_RESPONSE_BINS];
};

/* Rates are per second. */
struct loom_queueing_fit {
    uint64_t long_term, temporary; /* users of each kind */
    double service_s;              /* S: mean work of a job over the processors */
    /* Mixed model: */
    double lambda;  /* jobs of temporary users */
    uint64_t users; /* N: long-term users */
    double think_s; /* Z: from the end of a job's share of the machine to the next submission */
    /* The same with temporary users who repeat, and have one class of jobs: */
    double user_lambda;   /* arrivals of users */
    double repeat;        /* p: constant probability of another job */
    double user_think_s;  /* from the end of a job to the next submission */
    double jobs_per_user; /* 1 / (1 - p) */
    /* Of long-term users in the log, for comparison: */
    double cycle_s;    /* between submissions of one of them, in rounds of whole weeks */
    double wait_s;     /* time in which a user has jobs waiting, per job */
    double response_s; /* mean of their jobs */
    struct loom_queueing_sessions sessions;
};

/* Fit all models to the users of a log; rule may be NULL: loom_user_rule(). procs is the size of
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

/* Return the re-open model of a fit, of sessions whose number is multiplied, under one of its rules
 * (an index of `rules`). Its jobs are batches. */
LOOM_API struct loom_queueing_model loom_queueing_fit_sessions(const struct loom_queueing_fit *fit,
                                                               size_t rule, double load_factor);

/* The models that predict: the mixed one, then the re-open one under each rule. */
enum { LOOM_QUEUEING_FITTED = 1 + LOOM_QUEUEING_RULE_FITS };

/* Return the name of a model by its index: "mixed", "constant", "exponential" or "shmueli"; static,
 * NULL past the last. */
LOOM_API const char *loom_queueing_fitted_name(size_t index);

enum loom_queueing_verdict {
    LOOM_PREDICTED,
    LOOM_UNSTABLE, /* the model has no steady state */
    LOOM_UNFITTED, /* no value of the rule fits the log */
};

/* What a model predicts; NAN unless LOOM_PREDICTED. */
struct loom_queueing_predicted {
    enum loom_queueing_verdict verdict;
    double throughput; /* jobs per second */
    double utilization;
};

/* What fitted models predict, and what TBUOS simulates, for a number of users. */
struct loom_queueing_prediction {
    double load_factor; /* of the numbers of users; to be set */
    struct loom_queueing_predicted models[LOOM_QUEUEING_FITTED];
    struct loom_estimate simulated_throughput; /* of TBUOS, over replications */
    struct loom_estimate simulated_utilization;
};

/* How to simulate: the trace and all that a scenario has, with its users (a population). */
struct loom_queueing_comparison {
    struct loom_scenario scenario;     /* users is set for each load factor; seed is of all */
    const char *behaviour;             /* "fluid" */
    const struct loom_user_rule *rule; /* as of the fit */
    uint64_t replications;
    double confidence;
};

/* Fill n predictions, whose load factors are set: solve or simulate the models of the fit, and
 * simulate the log by TBUOS with long-term users who are always active, in parallel on a pool (may
 * be NULL). Fails as loom_sweep_run. */
LOOM_API int loom_queueing_predict(struct loom_queueing_prediction *predictions, size_t n,
                                   const struct loom_queueing_fit *fit,
                                   const struct loom_queueing_comparison *how,
                                   struct loom_pool *pool, struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
