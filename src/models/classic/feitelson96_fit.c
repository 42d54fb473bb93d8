/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fitting the model of 1996 to a log.
 *
 * Runs of a job: jobs of the same user, executable and size, each submitted after the one before it
 * ended and at most twenty minutes later (Zakay's limit of a think time after an end), are runs of
 * one job. Without users and executables in the log, every job is run once. Arrivals are arrivals
 * of first runs.
 *
 * fit=means: keeps the log's arrival rate, mean size and mean runtime. The exponent of runs gives
 * their mean number, the order of sizes the mean size; sizes and runtimes are fitted to all jobs,
 * since in the model they do not depend on the number of runs.
 *
 * fit=likelihood: maximum likelihood for exponent and order, from first runs only, which are
 * independent in the model. The order is the one whose expectation of log n, given which jobs are
 * powers of two, is the observed mean.
 *
 * Runtimes are always fitted by maximum likelihood, which nearly keeps their mean. The probability
 * of the short stage is a mixture itself: for share x of the machine, short_large with probability
 * x, else short_small. With both choices latent, EM has closed forms and keeps probabilities within
 * [0, 1].
 */
#include "base/civil.h"
#include "base/compare.h"
#include "models/classic/feitelson96.h"
#include "stats/dist/dist.h"

#include <gsl/gsl_sf_zeta.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_JOBS = 50, THINK_S = 20 * 60 };

/* ---- runs of a job --------------------------------------------------------------------------- */

/* By user, executable and size, then by submission. */
static int by_kind(const void *a, const void *b, void *context)
{
    const struct loom_workload *jobs = context;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(jobs->user[i], jobs->user[k]),
                                 LOOM_COMPARE(jobs->executable[i], jobs->executable[k]),
                                 LOOM_COMPARE(jobs->procs[i], jobs->procs[k]), LOOM_COMPARE(i, k));
}

static bool same_kind(const struct loom_workload *jobs, uint32_t i, uint32_t k)
{
    return jobs->user[i] == jobs->user[k] && jobs->executable[i] == jobs->executable[k] &&
           jobs->procs[i] == jobs->procs[k] && (jobs->user[i] >= 0 || jobs->executable[i] >= 0);
}

static bool runs_again(const struct loom_workload *jobs, uint32_t before, uint32_t job)
{
    int64_t wait_s = jobs->wait_s[before] > 0 ? jobs->wait_s[before] : 0;
    int64_t end_s =
        loom_saturated_add(loom_saturated_add(jobs->submit_s[before], wait_s), jobs->run_s[before]);
    return same_kind(jobs, before, job) && jobs->submit_s[job] >= end_s &&
           jobs->submit_s[job] <= loom_saturated_add(end_s, THINK_S);
}

/* Jobs, as indices into the log in order of submission. */
struct picked {
    const uint32_t *job;
    size_t n;
};

/* The first runs among the known jobs, and the number of runs of each. */
struct runs {
    uint32_t *first; /* places in the log */
    double *counts;
    size_t n;
};

static int by_place(const void *a, const void *b)
{
    return LOOM_COMPARE(*(const uint32_t *)a, *(const uint32_t *)b);
}

static int find_runs(struct runs *out, const struct loom_workload *jobs,
                     const struct loom_shapes *shapes, struct loom_error *err)
{
    uint32_t *order = malloc(shapes->n * sizeof *order);
    *out = (struct runs){.first = malloc(shapes->n * sizeof *out->first),
                         .counts = malloc(shapes->n * sizeof *out->counts)};
    if (!order || !out->first || !out->counts) {
        free(order);
        return loom_fail_memory(err);
    }
    for (size_t i = 0; i < shapes->n; i++)
        order[i] = shapes->job[i];
    qsort_r(order, shapes->n, sizeof *order, by_kind, (void *)(uintptr_t)jobs);
    for (size_t i = 0; i < shapes->n; i++) {
        if (i > 0 && runs_again(jobs, order[i - 1], order[i])) {
            out->counts[out->n - 1]++;
            continue;
        }
        out->first[out->n] = order[i];
        out->counts[out->n++] = 1;
    }
    free(order);
    return 0;
}

static void free_runs(struct runs *runs)
{
    free(runs->first);
    free(runs->counts);
}

/* Return the mean of Zipf's distribution minus the wanted one, given log(alpha - 2). */
static double mean_excess(double log_excess, void *context)
{
    double alpha = 2 + exp(log_excess);
    return gsl_sf_zeta(alpha - 1) / gsl_sf_zeta(alpha) - *(const double *)context;
}

/* Find the exponent with the log's mean. The mean falls from infinity at exponent 2 to 1; here it
 * is limited to between 10^6 and 1 + 10^-9. */
static int match_mean(struct loom_dist *out, double mean, struct loom_error *err)
{
    static const double HEAVIEST = -13.8, LIGHTEST = 3.35;
    double log_excess = 0;
    loom_root(&log_excess, mean_excess, &mean, HEAVIEST, LIGHTEST, 1e-12);
    double alpha = 2 + exp(log_excess);
    return loom_dist_init(out, "zipf", &alpha, 1, err);
}

static int fit_repeats(struct loom_feitelson96 *model, struct runs *runs, size_t jobs, bool means,
                       struct loom_error *err)
{
    model->repeats = runs->n < jobs;
    if (!model->repeats)
        return 0;
    if (means)
        return match_mean(&model->runs, (double)jobs / (double)runs->n, err);
    struct loom_fit fit;
    int rc = loom_dist_fit(&fit, "zipf", runs->counts, NULL, runs->n, err);
    model->runs = fit.dist;
    return rc;
}

/* ---- arrivals -------------------------------------------------------------------------------- */

enum { TIMES = 4, NUMBERS = 5 };

/* A subset of the jobs of a log, as a log. */
struct part {
    struct loom_workload jobs;
    int64_t *times[TIMES];
    int32_t *numbers[NUMBERS];
};

static void free_part(struct part *part)
{
    for (size_t i = 0; i < TIMES; i++)
        free(part->times[i]);
    for (size_t i = 0; i < NUMBERS; i++)
        free(part->numbers[i]);
}

static int take_part(struct part *out, const struct loom_workload *jobs, const uint32_t *wanted,
                     size_t n, struct loom_error *err)
{
    const int64_t *const times[TIMES] = {jobs->submit_s, jobs->run_s, jobs->wait_s,
                                         jobs->request_s};
    const int32_t *const numbers[NUMBERS] = {jobs->procs, jobs->user, jobs->group, jobs->executable,
                                             jobs->queue};
    bool whole = true;
    for (size_t k = 0; k < TIMES; k++) {
        out->times[k] = malloc(n * sizeof **out->times);
        whole = whole && out->times[k];
        for (size_t i = 0; i < n && out->times[k]; i++)
            out->times[k][i] = times[k][wanted[i]];
    }
    for (size_t k = 0; k < NUMBERS; k++) {
        out->numbers[k] = malloc(n * sizeof **out->numbers);
        whole = whole && out->numbers[k];
        for (size_t i = 0; i < n && out->numbers[k]; i++)
            out->numbers[k][i] = numbers[k][wanted[i]];
    }
    if (!whole)
        return loom_fail_memory(err);
    out->jobs = (struct loom_workload){.trace = jobs->trace,
                                       .zone = jobs->zone,
                                       .n = n,
                                       .max_procs = jobs->max_procs,
                                       .span_s = out->times[0][n - 1] - out->times[0][0],
                                       .submit_s = out->times[0],
                                       .run_s = out->times[1],
                                       .wait_s = out->times[2],
                                       .request_s = out->times[3],
                                       .procs = out->numbers[0],
                                       .user = out->numbers[1],
                                       .group = out->numbers[2],
                                       .executable = out->numbers[3],
                                       .queue = out->numbers[4]};
    return 0;
}

static int fit_arrivals(struct loom_feitelson96 *model, const struct loom_training *log,
                        const struct runs *runs, struct loom_error *err)
{
    struct part part = {0};
    struct loom_training first = *log;
    int rc = take_part(&part, log->jobs, runs->first, runs->n, err);
    if (!rc && part.jobs.span_s <= 0)
        rc = loom_fail(err, LOOM_EDATA, "feitelson96 cannot be fitted: %s",
                       runs->n > 1 ? "all jobs with a runtime and a processor count, and are no "
                                     "runs of one before, were submitted at once"
                                   : "all jobs with a runtime and a processor count are runs of "
                                     "one job, so that the rate of arrivals is unknown");
    first.jobs = &part.jobs;
    first.week_phase_s += rc ? 0 : (part.jobs.submit_s[0] - log->jobs->submit_s[0]) % 604800;
    first.week_phase_s %= 604800;
    if (!rc)
        rc =
            loom_part_fit(&model->arrivals, loom_params_text(log->params, "arrivals"), &first, err);
    free_part(&part);
    return rc;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Parallel jobs by kind of size: 1 for powers of two, 0 for others. */
struct sizes {
    bool means; /* of sizes, else of their logarithms */
    double counts[2];
    double mean; /* over both */
    int64_t procs;
};

static double measured(const struct sizes *sizes, int64_t procs)
{
    return sizes->means ? (double)procs : log((double)procs);
}

/* Return the expectation under weights n^-order over the sizes of a kind. */
static double expected(const struct sizes *sizes, int kind, double order)
{
    double sum = 0, values = 0;
    for (int64_t n = 2; n <= sizes->procs; n++) {
        if (((n & (n - 1)) == 0) != kind)
            continue;
        double weight = pow((double)n / (double)sizes->procs, -order);
        sum += weight;
        values += weight * measured(sizes, n);
    }
    return sum > 0 ? values / sum : 0;
}

static double feitelson96_excess(double order, void *context)
{
    const struct sizes *sizes = context;
    double parallel = sizes->counts[0] + sizes->counts[1], mean = 0;
    for (int kind = 0; kind < 2; kind++)
        if (sizes->counts[kind] > 0)
            mean += sizes->counts[kind] / parallel * expected(sizes, kind, order);
    return mean - sizes->mean;
}

static void fit_sizes(struct loom_feitelson96 *model, const struct loom_training *training,
                      struct picked jobs, bool means)
{
    struct sizes sizes = {.means = means, .procs = training->procs};
    double sum = 0;
    for (size_t i = 0; i < jobs.n; i++) {
        int32_t procs = training->jobs->procs[jobs.job[i]];
        if (procs > 1) {
            sizes.counts[(procs & (procs - 1)) == 0]++;
            sum += measured(&sizes, procs);
        }
    }
    double parallel = sizes.counts[0] + sizes.counts[1];
    model->serial = 1 - parallel / (double)jobs.n;
    model->powers = parallel > 0 ? sizes.counts[1] / parallel : 0;
    sizes.mean = parallel > 0 ? sum / parallel : 0;
    if (parallel > 0)
        loom_root(&model->order, feitelson96_excess, &sizes, -20, 20, 1e-12);
}

/* ---- runtimes ------------------------------------------------------------------------------- */

enum { MOST_STEPS = 2000 };

/* Expected counts and sums of one EM step. */
struct step {
    double jobs[2], times[2]; /* by stage: short, long */
    double coins[2][2];       /* by end of the line (small, large) and stage */
    double log_likelihood;
};

static void feitelson96_add_job(struct step *step, const struct loom_feitelson96 *model,
                                double run_s, double x)
{
    double p = (1 - x) * model->short_small + x * model->short_large;
    double brief = p / model->short_s * exp(-run_s / model->short_s);
    double lengthy = (1 - p) / model->long_s * exp(-run_s / model->long_s);
    double sum = brief + lengthy;
    if (!(sum >
          0)) { /* both densities are too small for a double: the longer stage is far likelier */
        step->log_likelihood += log((1 - p) / model->long_s) - run_s / model->long_s;
        lengthy = sum = 1;
        brief = 0;
    } else
        step->log_likelihood += log(sum);
    double r = brief / sum;
    step->jobs[0] += r;
    step->jobs[1] += 1 - r;
    step->times[0] += r * run_s;
    step->times[1] += (1 - r) * run_s;
    double heads = p > 0 ? r / p : 0, tails = p < 1 ? (1 - r) / (1 - p) : 0;
    step->coins[0][0] += heads * (1 - x) * model->short_small;
    step->coins[0][1] += tails * (1 - x) * (1 - model->short_small);
    step->coins[1][0] += heads * x * model->short_large;
    step->coins[1][1] += tails * x * (1 - model->short_large);
}

static double feitelson96_share(const double *coin, double otherwise)
{
    return coin[0] + coin[1] > 0 ? coin[0] / (coin[0] + coin[1]) : otherwise;
}

static void take_step(struct loom_feitelson96 *model, const struct step *step)
{
    if (step->jobs[0] > 0)
        model->short_s = fmax(step->times[0] / step->jobs[0], 1e-3);
    if (step->jobs[1] > 0)
        model->long_s = fmax(step->times[1] / step->jobs[1], 1e-3);
    model->short_small = feitelson96_share(step->coins[0], model->short_small);
    model->short_large = feitelson96_share(step->coins[1], model->short_large);
}

/* Start EM from the parts of the sample below and above the mean. */
static void feitelson96_start(struct loom_feitelson96 *model, const struct loom_training *log,
                              struct picked picked)
{
    double mean_s = 0, sums[2] = {0, 0}, counts[2] = {0, 0};
    for (size_t i = 0; i < picked.n; i++)
        mean_s += (double)log->jobs->run_s[picked.job[i]] / (double)picked.n;
    for (size_t i = 0; i < picked.n; i++) {
        double run_s = (double)log->jobs->run_s[picked.job[i]];
        sums[run_s > mean_s] += run_s;
        counts[run_s > mean_s]++;
    }
    model->short_s = fmax(sums[0] / counts[0], 1e-3);
    model->long_s = counts[1] > 0 ? sums[1] / counts[1] : 2 * model->short_s;
    model->short_small = model->short_large = counts[0] / (counts[0] + counts[1]);
    if (counts[1] == 0)
        model->short_small = model->short_large = 0.5;
}

static void fit_run_times(struct loom_feitelson96 *model, const struct loom_training *log,
                          struct picked picked)
{
    const struct loom_workload *jobs = log->jobs;
    double before = -INFINITY;
    feitelson96_start(model, log, picked);
    for (int i = 0; i < MOST_STEPS; i++) {
        struct step step = {0};
        for (size_t k = 0; k < picked.n; k++) {
            uint32_t job = picked.job[k];
            feitelson96_add_job(&step, model, (double)jobs->run_s[job],
                                fmin(1, (double)jobs->procs[job] / log->procs));
        }
        take_step(model, &step);
        if (step.log_likelihood - before < 1e-9 * (double)picked.n)
            break;
        before = step.log_likelihood;
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int fit_all(struct loom_feitelson96 *model, const struct loom_training *log,
                   const struct loom_shapes *shapes, struct runs *runs, struct loom_error *err)
{
    bool means = strcmp(loom_params_text(log->params, "fit"), "means") == 0;
    int rc = fit_repeats(model, runs, shapes->n, means, err);
    if (rc)
        return rc;
    qsort(runs->first, runs->n, sizeof *runs->first, by_place);
    struct picked first = {runs->first, runs->n}, all = {shapes->job, shapes->n};
    fit_sizes(model, log, means ? all : first, means);
    fit_run_times(model, log, means ? all : first);
    return fit_arrivals(model, log, runs, err);
}

int loom_feitelson96_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct loom_shapes shapes;
    struct runs runs = {0};
    if (log->procs > LOOM_FEITELSON96_MOST_PROCS)
        return loom_fail(err, LOOM_EDATA,
                         "feitelson96 weighs each size of a machine, and the %d processors of the "
                         "log's are too many for that; it takes at most %d",
                         log->procs, LOOM_FEITELSON96_MOST_PROCS);
    int rc = loom_shapes_create(&shapes, log, "feitelson96", LEAST_JOBS, err);
    if (rc)
        return rc;
    rc = find_runs(&runs, log->jobs, &shapes, err);
    if (!rc)
        rc = fit_all(state, log, &shapes, &runs, err);
    free_runs(&runs);
    loom_shapes_free(&shapes);
    return rc;
}
