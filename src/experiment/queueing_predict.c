/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fitted queueing models beside TBUOS: a population of the log's users, who react to service. */
#include <workloom/experiment_queueing.h>
#include <workloom/stats_intervals.h>

#include <math.h>
#include <stdlib.h>

#define DAY_S 86400.0

const char *loom_queueing_fitted_name(size_t index)
{
    static const char *const names[] = {"mixed", "constant", "exponential", "shmueli"};
    _Static_assert(sizeof names / sizeof *names == LOOM_QUEUEING_FITTED, "a name for each model");
    return index < LOOM_QUEUEING_FITTED ? names[index] : NULL;
}

/* ---- models ---------------------------------------------------------------------------------- */

/* Set a trial of a model of the fit; without an exact solution it is simulated. */
static void set_trial(struct loom_queueing_trial *out, const struct loom_queueing_fit *fit,
                      size_t model, double load_factor, uint64_t seed)
{
    *out = (struct loom_queueing_trial){.options = loom_queueing_options()};
    out->options.seed = seed;
    out->model = model == 0 ? loom_queueing_fit_mixed(fit, load_factor)
                            : loom_queueing_fit_sessions(fit, model - 1, load_factor);
    out->solve = out->model.repeat.rule <= LOOM_REPEAT_CONSTANT;
    out->simulate = !out->solve;
}

static enum loom_queueing_verdict verdict_of(const struct loom_queueing_model *model)
{
    return isnan(model->repeat.value)              ? LOOM_UNFITTED
           : loom_queueing_check(model, NULL) == 0 ? LOOM_PREDICTED
                                                   : LOOM_UNSTABLE;
}

/* Read what a trial predicts. A job of the re-open model is a batch of jobs of the log. */
static void set_predicted(struct loom_queueing_predicted *out,
                          const struct loom_queueing_trial *trial,
                          const struct loom_queueing_fit *fit, size_t model)
{
    const struct loom_queueing_sessions *of = &fit->sessions;
    double each = model == 0 ? 1 : (double)of->jobs / (double)of->batches, values[2];
    static const size_t metrics[] = {LOOM_QUEUEING_THROUGHPUT, LOOM_QUEUEING_UTILIZATION};
    for (size_t i = 0; i < 2; i++)
        values[i] =
            trial->solve ? trial->exact[metrics[i]] : trial->result.metrics[metrics[i]].mean;
    out->throughput = values[0] * each;
    out->utilization = values[1];
}

static int predict_models(struct loom_queueing_prediction *predictions, size_t n,
                          const struct loom_queueing_fit *fit, uint64_t seed,
                          struct loom_pool *pool, struct loom_error *err)
{
    size_t count = 0, next = 0;
    struct loom_queueing_trial *trials = calloc(n * LOOM_QUEUEING_FITTED, sizeof *trials);
    if (!trials)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < LOOM_QUEUEING_FITTED; m++) {
            struct loom_queueing_predicted *of = &predictions[i].models[m];
            *of = (struct loom_queueing_predicted){.throughput = NAN, .utilization = NAN};
            set_trial(&trials[count], fit, m, predictions[i].load_factor, seed);
            of->verdict = verdict_of(&trials[count].model);
            count += of->verdict == LOOM_PREDICTED;
        }
    int rc = loom_queueing_run(trials, count, pool, err);
    for (size_t i = 0; i < n && !rc; i++)
        for (size_t m = 0; m < LOOM_QUEUEING_FITTED; m++)
            if (predictions[i].models[m].verdict == LOOM_PREDICTED)
                set_predicted(&predictions[i].models[m], &trials[next++], fit, m);
    free(trials);
    return rc;
}

/* ---- TBUOS ----------------------------------------------------------------------------------- */

/* What the scenarios of a load factor point at. */
struct population {
    struct loom_population_rule rule;
    struct loom_feedback_options users;
};

static void set_population(struct population *out, const struct loom_queueing_comparison *how,
                           double load_factor)
{
    out->rule = loom_population_rule();
    out->rule.load_factor = load_factor;
    out->rule.start_active = true; /* long-term users are always active, as in the model */
    out->users = (struct loom_feedback_options){.behaviour = how->behaviour,
                                                .population = &out->rule,
                                                .pools = how->rule,
                                                .poor = 10};
}

/* The mean over replications; one alone has no interval. */
static int outcomes_mean(struct loom_estimate *out, struct loom_outcome *const *outcomes, size_t n,
                         double *values, const char *key, double confidence, struct loom_error *err)
{
    const struct loom_interval_options options = {.method = LOOM_INTERVAL_T, .level = confidence};
    struct loom_interval interval;
    for (size_t i = 0; i < n; i++)
        values[i] = loom_outcome_value(outcomes[i], key);
    *out = (struct loom_estimate){values[0], NAN};
    int rc = n > 1 ? loom_mean_interval(&interval, values, n, &options, err) : 0;
    if (n > 1 && !rc)
        *out = (struct loom_estimate){interval.estimate, (interval.high - interval.low) / 2};
    return rc;
}

/* Means of one load factor. */
static int measure_tbuos(struct loom_queueing_prediction *out, struct loom_outcome *const *outcomes,
                         const struct loom_queueing_comparison *how, double *values,
                         struct loom_error *err)
{
    struct loom_estimate *rate = &out->simulated_throughput;
    int rc = outcomes_mean(rate, outcomes, how->replications, values,
                           "users_throughput_jobs_per_day", how->confidence, err);
    *rate = (struct loom_estimate){rate->mean / DAY_S, rate->half_width / DAY_S};
    return rc ? rc
              : outcomes_mean(&out->simulated_utilization, outcomes, how->replications, values,
                              "users_utilization", how->confidence, err);
}

static int simulate_tbuos(struct loom_queueing_prediction *predictions, size_t n,
                          const struct loom_queueing_comparison *how,
                          struct population *populations, struct loom_scenario *scenarios,
                          struct loom_outcome **outcomes, double *values, struct loom_pool *pool,
                          struct loom_error *err)
{
    size_t each = how->replications;
    for (size_t i = 0; i < n; i++) {
        set_population(&populations[i], how, predictions[i].load_factor);
        for (size_t k = 0; k < each; k++) {
            scenarios[i * each + k] = how->scenario;
            scenarios[i * each + k].users = &populations[i].users;
            scenarios[i * each + k].replication = k;
        }
    }
    int rc = loom_sweep_run(outcomes, scenarios, n * each, pool, err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = measure_tbuos(&predictions[i], outcomes + i * each, how, values, err);
    for (size_t i = 0; i < n * each; i++)
        loom_outcome_destroy(outcomes[i]); /* NULL after a failure */
    return rc;
}

int loom_queueing_predict(struct loom_queueing_prediction *predictions, size_t n,
                          const struct loom_queueing_fit *fit,
                          const struct loom_queueing_comparison *how, struct loom_pool *pool,
                          struct loom_error *err)
{
    size_t runs = n * how->replications;
    if (runs == 0 || runs > 100000)
        return loom_fail_field(err, LOOM_ERANGE, "replications",
                               "replications of all load factors must be from 1 to 100,000");
    struct population *populations = calloc(n, sizeof *populations);
    struct loom_scenario *scenarios = calloc(runs, sizeof *scenarios);
    struct loom_outcome **outcomes = calloc(runs, sizeof *outcomes);
    double *values = calloc(how->replications, sizeof *values);
    int rc = populations && scenarios && outcomes && values
                 ? simulate_tbuos(predictions, n, how, populations, scenarios, outcomes, values,
                                  pool, err)
                 : loom_fail_memory(err);
    if (!rc)
        rc = predict_models(predictions, n, fit, how->scenario.seed, pool, err);
    free(populations);
    free(scenarios);
    free(outcomes);
    free(values);
    return rc;
}
