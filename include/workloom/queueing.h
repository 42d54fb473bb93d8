/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queueing.h - semi-open queueing models (Zakay 2017, chapter 6), exact and simulated, and the
 * closed forms that simulators are compared with.
 *
 * A model is one FCFS queue with one or several servers, in continuous time without a unit: times
 * are in the unit of `service`, rates are per that unit. Two classes of users submit jobs to it.
 * Open users arrive as a Poisson process of rate `lambda`; after each job they think and submit
 * another one with a probability that may depend on the response time of the job, or leave. Closed
 * users, a fixed number, submit a job, wait for it, think, and go on for ever.
 *
 *     mixed model      open users with one job each, and closed users; loom_mixed_solve() is exact
 *     re-open model    open users who repeat, and no closed users
 *     both together    open users who repeat, and closed users
 *
 * loom_queueing_simulate() simulates any of them and gives a confidence interval for every metric
 * of the dictionary below. Equal models, options and seeds give equal results for any number of
 * threads.
 *
 * Failure: LOOM_ERANGE for a model that is unstable or meaningless, with the bound it breaks in the
 * message and the field in err->field; LOOM_EUSAGE for words that name nothing.
 */
#ifndef WORKLOOM_QUEUEING_H
#define WORKLOOM_QUEUEING_H

#include <workloom/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- closed forms ---------------------------------------------------------------------------- */

/* A queue in its steady state. */
struct loom_station {
    double throughput;  /* jobs per unit of time */
    double utilization; /* share of the servers that is busy */
    double wait;        /* mean time before service */
    double response;    /* wait and service */
    double queue;       /* mean number of waiting jobs */
    double in_system;   /* waiting or in service */
};

/* Compute an M/M/1 queue. LOOM_ERANGE if lambda * service is 1 or more, or a number is not
 * positive. */
LOOM_API int loom_queueing_mm1(struct loom_station *out, double lambda, double service,
                               struct loom_error *err);

/* Compute an M/M/c queue by Erlang's C formula. LOOM_ERANGE if lambda * service / servers is 1 or
 * more, or a number is not positive. */
LOOM_API int loom_queueing_mmc(struct loom_station *out, double lambda, double service,
                               unsigned servers, struct loom_error *err);

/* Compute an M/G/1 queue by the formula of Pollaczek and Khinchine, from mean and variance of the
 * service time. LOOM_ERANGE as loom_queueing_mm1. */
LOOM_API int loom_queueing_mg1(struct loom_station *out, double lambda, double service,
                               double variance, struct loom_error *err);

/* Compute the machine repairman (M/M/c//N): `users` who think for `think` on average, exponentially
 * or not, and submit one job at a time to `servers` exponential servers. think may be 0.
 * LOOM_ERANGE for numbers that cannot be. */
LOOM_API int loom_queueing_repairman(struct loom_station *out, uint64_t users, double think,
                                     double service, unsigned servers, struct loom_error *err);

/* ---- the model ------------------------------------------------------------------------------- */

/* When an open user submits another job, after a response time r. */
enum loom_repeat_rule {
    LOOM_REPEAT_NEVER,
    LOOM_REPEAT_CONSTANT,    /* with probability p = value */
    LOOM_REPEAT_EXPONENTIAL, /* p = exp(-value r) */
    LOOM_REPEAT_SHMUELI,     /* p = 0.8 / (0.05 value r + 1); r in minutes if value is 1 */
};

struct loom_repeat {
    enum loom_repeat_rule rule;
    double value;
};

/* A rule, for lists and help. */
struct loom_repeat_info {
    const char *name, *summary;
    const char *value_name; /* NULL if it has none */
    double value;           /* default; NAN if it must be given */
    double min, max;        /* of the value */
};

/* Return the rule at an index of enum loom_repeat_rule, static; NULL past the last. */
LOOM_API const struct loom_repeat_info *loom_repeat_at(size_t index);

/* Read a rule as text: "never", "constant:0.5", "exponential[:SCALE]", "shmueli[:SCALE]" (SCALE 1
 * and 10). LOOM_EUSAGE for an unknown name or value. */
LOOM_API int loom_repeat_parse(struct loom_repeat *out, const char *text, struct loom_error *err);

/* Write a rule as loom_repeat_parse reads it. Returns buf. */
LOOM_API const char *loom_repeat_text(const struct loom_repeat *repeat, char *buf, size_t size);

/* Return the probability of another job after a response time. */
LOOM_API double loom_repeat_probability(const struct loom_repeat *repeat, double response);

/* How long users think, exponentially distributed with a mean that may depend on the response time
 * r of the job before. */
enum loom_think_rule {
    LOOM_THINK_PLAIN,  /* mean */
    LOOM_THINK_LINEAR, /* mean + slope r */
    LOOM_THINK_BREAK,  /* mean if r <= limit, else pause: the user leaves and comes back later */
};

struct loom_think {
    enum loom_think_rule rule;
    double mean, slope, limit, pause;
};

/* Read a think time as text: "5", "linear:MEAN:SLOPE" or "break:MEAN:LIMIT:PAUSE". LOOM_EUSAGE for
 * anything else. */
LOOM_API int loom_think_parse(struct loom_think *out, const char *text, struct loom_error *err);

/* Write a think time as loom_think_parse reads it. Returns buf. */
LOOM_API const char *loom_think_text(const struct loom_think *think, char *buf, size_t size);

/* Return the mean think time after a response time. */
LOOM_API double loom_think_mean(const struct loom_think *think, double response);

#define LOOM_QUEUEING_CLOSED_MOST 10000000

struct loom_queueing_model {
    double lambda;             /* arrival rate of open users; 0: there are none */
    struct loom_repeat repeat; /* when they submit another job */
    uint64_t closed;           /* number of closed users, up to LOOM_QUEUEING_CLOSED_MOST */
    struct loom_think think;   /* of all users, between their jobs */
    double service;            /* mean service time */
    unsigned servers;
    /* Shape of the service times, scaled to the mean `service`; ops NULL: exponential. */
    struct loom_dist service_dist;
};

/* Return a model with defaults: no users, think time 5, one exponential server of service time 1.
 */
LOOM_API struct loom_queueing_model loom_queueing_model(void);

/* Check that a model has users and a steady state. LOOM_ERANGE if it has not. */
LOOM_API int loom_queueing_check(const struct loom_queueing_model *model, struct loom_error *err);

/* Read the shape of service times as text: NAME:PARAMETER:PARAMETER..., as "gamma:0.5:2"; NAME is
 * one of the distributions of stats.h. LOOM_EUSAGE for another name, LOOM_ERANGE for parameters
 * that cannot be, negative values or a mean that is not finite. */
LOOM_API int loom_queueing_service_parse(struct loom_dist *out, const char *text,
                                         struct loom_error *err);

/* ---- the mixed model, exactly ---------------------------------------------------------------- */

enum loom_mixed_phase {
    LOOM_PHASE_PARTIAL, /* closed users leave capacity unused */
    LOOM_PHASE_FULL,    /* they are enough to use all of it */
};

struct loom_mixed {
    double throughput;        /* of both classes */
    double throughput_closed; /* of closed users */
    double response_closed;   /* mean; 0 without closed users */
    double response_open;     /* mean, of a job that arrives at random */
    double utilization;
    double queue_closed;   /* mean number of closed users at the queue, in service too */
    double queue_open;     /* mean number of open users there */
    double users_for_full; /* N*: closed users from which on the phase is full */
    enum loom_mixed_phase phase;
    /* Operational bounds. Closed users who never meet give the most, closed users who always meet
     * the least. */
    double throughput_max, throughput_min;
    double response_closed_min; /* max(response of one user, N / (mu - lambda) - Z) */
};

/* Solve the mixed model. Requires an exponential service time, a think time of LOOM_THINK_PLAIN,
 * and open users who repeat by LOOM_REPEAT_NEVER or LOOM_REPEAT_CONSTANT, who load the queue as
 * single jobs of rate lambda / (1 - p) do. One server is solved by mean value analysis, several by
 * the product form. LOOM_EUSAGE for another model, else as loom_queueing_check. */
LOOM_API int loom_mixed_solve(struct loom_mixed *out, const struct loom_queueing_model *model,
                              struct loom_error *err);

/* Return the name of a phase: "partial" or "full". Static. */
LOOM_API const char *loom_mixed_phase_name(enum loom_mixed_phase phase);

/* ---- metrics of a simulation ----------------------------------------------------------------- */

/* Every metric of a simulation, by the index in its dictionary. */
enum loom_queueing_metric {
    LOOM_QUEUEING_THROUGHPUT,
    LOOM_QUEUEING_UTILIZATION,
    LOOM_QUEUEING_RESPONSE,
    LOOM_QUEUEING_WAIT,
    LOOM_QUEUEING_LENGTH,
    LOOM_QUEUEING_JOBS_PER_USER,
    LOOM_QUEUEING_USER_THROUGHPUT,
    LOOM_QUEUEING_USER_QUOTIENT,
    LOOM_QUEUEING_RUNTIME_CONTINUE,
    LOOM_QUEUEING_RUNTIME_LAST,
    LOOM_QUEUEING_CLOSED_THROUGHPUT,
    LOOM_QUEUEING_CLOSED_RESPONSE,
    LOOM_QUEUEING_OPEN_RESPONSE,
    LOOM_QUEUEING_METRICS,
};

struct loom_queueing_metric_info {
    const char *key;     /* "response_mean": in JSON documents and columns of CSV files */
    const char *label;   /* "mean response" */
    const char *meaning; /* one sentence without its full stop */
};

/* Return a metric by its index, static; NULL past the last. */
LOOM_API const struct loom_queueing_metric_info *loom_queueing_metric_at(size_t index);

/* Return whether a metric says something about a model: jobs per user where open users repeat,
 * classes where there are closed users. */
LOOM_API bool loom_queueing_metric_applies(size_t index, const struct loom_queueing_model *model);

/* Store the exact values of all metrics of a model that loom_mixed_solve() solves, NAN where there
 * is none; out has LOOM_QUEUEING_METRICS entries. With a constant probability p of another job the
 * model is a Jackson network: X = lambda / (1 - p), R = 1 / (mu - X). Fails
 * as loom_mixed_solve. */
LOOM_API int loom_queueing_exact(double *out, const struct loom_queueing_model *model,
                                 struct loom_error *err);

/* An estimate; both numbers are NAN where the model has no such users or jobs, and the half-width
 * is NAN where there were too few jobs for one. */
struct loom_estimate {
    double mean;
    double half_width; /* of the confidence interval */
};

/* ---- simulation ------------------------------------------------------------------------------ */

struct loom_queueing_options {
    uint64_t users; /* simulate until so many open users have arrived; 0: no such limit */
    uint64_t jobs;  /* simulate so many jobs; 0: no such limit */
    uint64_t replications;
    double confidence; /* level of the intervals, 0.95 */
    uint64_t seed;
};

/* Return options with defaults: 1,000,000 jobs, one replication, 95 % intervals, seed 1. */
LOOM_API struct loom_queueing_options loom_queueing_options(void);

enum { LOOM_QUEUEING_BINS = 200 };

/* Counts of the service times of open users' jobs, in bins of a twentieth of the mean; the last bin
 * also has all that is longer. */
struct loom_queueing_runtimes {
    double width;
    uint64_t continued[LOOM_QUEUEING_BINS]; /* jobs after which the user submitted another */
    uint64_t last[LOOM_QUEUEING_BINS];      /* jobs after which the user left */
};

struct loom_queueing_result {
    struct loom_estimate metrics[LOOM_QUEUEING_METRICS];
    uint64_t jobs;    /* simulated, of all replications */
    uint64_t warm_up; /* of these, left out as warm-up (MSER-5) */
    unsigned batches; /* of the intervals, of all replications */
    /* Share of the submitted work that was not served by the end, 0 if the run was long enough to
     * be in its steady state. Where it is not, the queue was still growing, and the throughput, a
     * rate of submissions, may even be above the service rate. */
    double unserved;
    struct loom_queueing_runtimes runtimes;
};

/* Simulate a model event by event. Fails as loom_queueing_check does, and with LOOM_ERANGE for
 * options that cannot be. */
LOOM_API int loom_queueing_simulate(struct loom_queueing_result *out,
                                    const struct loom_queueing_model *model,
                                    const struct loom_queueing_options *options,
                                    struct loom_pool *pool, struct loom_error *err);

/* ---- trials ---------------------------------------------------------------------------------- */

/* One cell of a study: a model, what to do with it, and the results. */
struct loom_queueing_trial {
    struct loom_queueing_model model;
    struct loom_queueing_options options;
    bool solve, simulate;
    struct loom_mixed solved;            /* if solve */
    double exact[LOOM_QUEUEING_METRICS]; /* if solve, as loom_queueing_exact */
    struct loom_queueing_result result;  /* if simulate */
};

/* Run n trials in parallel on a pool (may be NULL). The error is of the first trial, by index, that
 * failed. */
LOOM_API int loom_queueing_run(struct loom_queueing_trial *trials, size_t n, struct loom_pool *pool,
                               struct loom_error *err);

/* ---- studies --------------------------------------------------------------------------------- */

/* A parameter of a model that a sweep changes, and its values, ascending. */
struct loom_queueing_axis {
    const char *name;  /* "lambda"; static */
    const char *label; /* "arrival rate of open users"; static */
    size_t n;
    double values[1000];
};

/* Read an axis as text: NAME=VALUES, where NAME is lambda, N, think (Z), think-rate (1/Z), p,
 * service, or servers, and VALUES are numbers with commas or FROM:TO:STEP (whole numbers also
 * FROM:TO). LOOM_EUSAGE for anything else. */
LOOM_API int loom_queueing_axis_parse(struct loom_queueing_axis *out, const char *text,
                                      struct loom_error *err);

/* Set the parameter of an axis to a value. p makes the rule of open users LOOM_REPEAT_CONSTANT. */
LOOM_API void loom_queueing_axis_set(const struct loom_queueing_axis *axis, double value,
                                     struct loom_queueing_model *model);

enum { LOOM_QUEUEING_LABEL = 96 };

/* Trials by curve and, within each, by point. */
struct loom_queueing_study {
    size_t curves, points;
    struct loom_queueing_trial *trials;  /* curves * points */
    char (*labels)[LOOM_QUEUEING_LABEL]; /* of curves; "" if there is one */
    bool exact_first; /* show exact values, where there are any, before simulated ones */
    bool quotients;   /* show LOOM_QUEUEING_USER_QUOTIENT too */
    bool has_axis;    /* points differ by: */
    struct loom_queueing_axis axis;
};

/* Create a study in *out from a trial to vary: points by the first axis, curves by the rules of
 * open users (n_rules may be 0: the rule of the model) and by the second axis. axes has 0 to 2
 * entries. The caller must run the trials and free the study. LOOM_EUSAGE for more axes or for the
 * same one twice. */
LOOM_API int loom_queueing_study_create(struct loom_queueing_study *out,
                                        const struct loom_queueing_trial *base,
                                        const struct loom_queueing_axis *axes, size_t n_axes,
                                        const struct loom_repeat *rules, size_t n_rules,
                                        struct loom_error *err);

/* Free the trials and labels of a study; one that is all zero is allowed. */
LOOM_API void loom_queueing_study_free(struct loom_queueing_study *study);

#ifdef __cplusplus
}
#endif
#endif
