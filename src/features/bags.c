/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bags of tasks (users.h): frequency, contents, arrivals and use of the machine (Minh 2012, 3.4 to
 * 3.7).
 *
 * Features of bags count bags of at least two jobs; only arrivals and the exponent of sizes include
 * single jobs (Minh 2012, 3, introduction). The runtime of a bag is the mean over its jobs, its
 * processors and its estimate are those that all of its jobs have (Minh 2012, 2.3.3). Unknown
 * values are left out of sums.
 */
#include "features/measure.h"
#include "features/rate.h"

#include <math.h>
#include <stdlib.h>
#include <workloom/stats.h>
#include <workloom/users.h>

/* The bags, and the jobs in the same order: job i is row bags->row[i]. */
struct collection {
    const struct loom_workload *jobs;
    const struct loom_bags *bags;
    size_t real;    /* bags of at least two jobs */
    double *buffer; /* for one number, or two, for each bag */
};

static bool is_real(const struct collection *c, size_t bag)
{
    return loom_bag_size(c->bags, bag) >= 2;
}

static int64_t arrival_s(const struct collection *c, size_t bag)
{
    return c->jobs->submit_s[c->bags->first[bag]];
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static int put_alpha(struct loom_results *results, const struct collection *c,
                     struct loom_error *err)
{
    struct loom_fit fit;
    for (size_t b = 0; b < c->bags->count; b++)
        c->buffer[b] = (double)loom_bag_size(c->bags, b);
    int rc = loom_dist_fit(&fit, "zipf", c->buffer, NULL, c->bags->count, err);
    return loom_put_outcome(results, "bot.size.alpha", rc, rc ? 0 : fit.dist.params[0],
                            "no Zipf distribution fits the sizes of bags");
}

static int put_sizes(struct loom_results *results, const struct collection *c,
                     struct loom_error *err)
{
    size_t jobs = 0, most = 0;
    for (size_t b = 0; b < c->bags->count; b++)
        if (is_real(c, b)) {
            size_t size = loom_bag_size(c->bags, b);
            jobs += size;
            most = size > most ? size : most;
        }
    loom_put(results, "bot.count", (double)c->real);
    loom_put(results, "bot.job_fraction", (double)jobs / (double)c->jobs->n);
    if (c->real == 0)
        return 0;
    loom_put(results, "bot.size.mean", (double)jobs / (double)c->real);
    loom_put(results, "bot.size.max", (double)most);
    return put_alpha(results, c, err);
}

/* ---- what is inside -------------------------------------------------------------------------- */

/* Runtimes of one bag, over the jobs that know theirs. */
struct runtimes {
    double n, mean_s, cv;
};

/* cv with n, which gives the printed table 3.8 where the n - 1 of Minh 2012, 2.1.1 does not; NAN
 * for runtimes that are all 0. */
static struct runtimes runtimes_of(const struct collection *c, size_t bag)
{
    const int64_t *run_s = c->jobs->run_s;
    size_t first = c->bags->first[bag], end = c->bags->first[bag + 1];
    double n = 0, sum = 0, squares = 0;
    for (size_t i = first; i < end; i++)
        if (run_s[i] >= 0) {
            sum += (double)run_s[i];
            n++;
        }
    double mean_s = n > 0 ? sum / n : 0;
    for (size_t i = first; i < end; i++)
        if (run_s[i] >= 0)
            squares += ((double)run_s[i] - mean_s) * ((double)run_s[i] - mean_s);
    double cv = mean_s > 0 ? sqrt(squares / n) / mean_s : NAN;
    return (struct runtimes){n, mean_s, cv};
}

static void put_runtimes(struct loom_results *results, const struct collection *c)
{
    double jobs = 0, total_s = 0, varied = 0, total_cv = 0;
    for (size_t b = 0; b < c->bags->count; b++) {
        if (!is_real(c, b))
            continue;
        struct runtimes runtimes = runtimes_of(c, b);
        jobs += runtimes.n;
        total_s += runtimes.n * runtimes.mean_s;
        if (runtimes.n >= 2 && !isnan(runtimes.cv)) {
            varied++;
            total_cv += runtimes.cv;
        }
    }
    if (jobs > 0)
        loom_put(results, "bot.runtime.mean_s", total_s / jobs);
    else
        loom_put_missing(results, "bot.runtime.mean_s", "no job in a bag has a runtime");
    if (varied > 0)
        loom_put(results, "bot.runtime.cv_mean", total_cv / varied);
    else
        loom_put_missing(results, "bot.runtime.cv_mean",
                         "no bag has two jobs with a runtime, one of them above 0");
}

static int put_durations(struct loom_results *results, const struct collection *c,
                         struct loom_error *err)
{
    size_t n = 0;
    for (size_t b = 0; b < c->bags->count; b++)
        if (is_real(c, b))
            c->buffer[n++] =
                (double)(c->jobs->submit_s[c->bags->first[b + 1] - 1] - arrival_s(c, b));
    int rc = loom_sort(c->buffer, n, err);
    if (!rc)
        loom_put(results, "bot.duration.p99_s", loom_quantile(c->buffer, n, 0.99));
    return rc;
}

/* Like jobs in a row are a bag without a limit to its gaps, and each gap is inside a bag or not. */
static int put_like_gaps(struct loom_results *results, const struct collection *c,
                         struct loom_error *err)
{
    struct loom_bags *alike = NULL;
    if (c->jobs->n < 2)
        return 0;
    int rc = loom_bags_create(&alike, c->jobs->trace, INT64_MAX, err);
    if (rc)
        return rc;
    double all = (double)(c->jobs->n - alike->count),
           inside = (double)(c->jobs->n - c->bags->count);
    loom_bags_destroy(alike);
    return loom_put_outcome(results, "bot.like_gap_fraction", all > 0 ? 0 : LOOM_EDATA,
                            inside / all, "no two successive jobs of a user are alike");
}

/* ---- what they take -------------------------------------------------------------------------- */

/* A sum over all jobs, and the part of it in bags. */
struct share {
    double all, bags;
};

static void share_add(struct share *share, double value, bool in_bag)
{
    share->all += value;
    share->bags += in_bag ? value : 0;
}

static void put_share(struct loom_results *results, const char *key, struct share share,
                      const char *reason)
{
    if (share.all > 0)
        loom_put(results, key, share.bags / share.all);
    else
        loom_put_missing(results, key, reason);
}

/* Occupation is runtime x processors, estimated occupation is estimate x processors (Minh
 * 2012, 3.6, footnote 4). An estimate is known if it is above 0. */
static void put_consumption(struct loom_results *results, const struct collection *c)
{
    const struct loom_workload *jobs = c->jobs;
    struct share occupation = {0}, wait = {0};
    double used = 0, asked = 0;
    for (size_t b = 0; b < c->bags->count; b++) {
        bool real = is_real(c, b);
        for (size_t i = c->bags->first[b]; i < c->bags->first[b + 1]; i++) {
            if (jobs->wait_s[i] >= 0)
                share_add(&wait, (double)jobs->wait_s[i], real);
            if (jobs->run_s[i] < 0 || jobs->procs[i] <= 0)
                continue;
            share_add(&occupation, (double)jobs->run_s[i] * jobs->procs[i], real);
            if (real && jobs->request_s[i] > 0) {
                used += (double)jobs->run_s[i] * jobs->procs[i];
                asked += (double)jobs->request_s[i] * jobs->procs[i];
            }
        }
    }
    put_share(results, "bot.occupation_fraction", occupation, "no job is known to occupy anything");
    put_share(results, "bot.wait_fraction", wait, "no job is known to wait");
    if (asked > 0)
        loom_put(results, "bot.estimate_utilization", used / asked);
    else if (c->real > 0)
        loom_put_missing(results, "bot.estimate_utilization",
                         "no job in a bag knows runtime, processors and estimate");
}

/* ---- correlations ---------------------------------------------------------------------------- */

/* An attribute of a bag; NAN if it is not known. */
typedef double attribute_fn(const struct collection *c, size_t bag);

static double runtime_of(const struct collection *c, size_t bag)
{
    struct runtimes runtimes = runtimes_of(c, bag);
    return runtimes.n > 0 ? runtimes.mean_s : NAN;
}

static double procs_of(const struct collection *c, size_t bag)
{
    int32_t procs = c->jobs->procs[c->bags->first[bag]];
    return procs > 0 ? (double)procs : NAN;
}

static double estimate_of(const struct collection *c, size_t bag)
{
    int64_t request_s = c->jobs->request_s[c->bags->first[bag]];
    return request_s > 0 ? (double)request_s : NAN;
}

static int put_correlation(struct loom_results *results, const struct collection *c,
                           const char *key, attribute_fn *attribute, const char *unknown,
                           struct loom_error *err)
{
    double *sizes = c->buffer, *values = c->buffer + c->real, rho = 0;
    size_t n = 0;
    for (size_t b = 0; b < c->bags->count; b++) {
        double value = is_real(c, b) ? attribute(c, b) : NAN;
        if (isnan(value))
            continue;
        sizes[n] = (double)loom_bag_size(c->bags, b);
        values[n++] = value;
    }
    if (n == 0) {
        loom_put_missing(results, key, unknown);
        return 0;
    }
    int rc = loom_spearman(&rho, sizes, values, n, err);
    return loom_put_outcome(results, key, rc, rho,
                            "all bags are alike, so there is nothing to correlate");
}

static int put_correlations(struct loom_results *results, const struct collection *c,
                            struct loom_error *err)
{
    static const struct {
        const char *key;
        attribute_fn *attribute;
        const char *unknown;
    } correlations[] = {
        {"bot.corr.size_runtime", runtime_of, "no bag has a runtime"},
        {"bot.corr.size_procs", procs_of, "no bag has a processor count"},
        {"bot.corr.size_estimate", estimate_of, "no bag has an estimate"},
    };
    int rc = 0;
    for (size_t i = 0; i < sizeof correlations / sizeof *correlations && !rc; i++)
        rc = put_correlation(results, c, correlations[i].key, correlations[i].attribute,
                             correlations[i].unknown, err);
    return rc;
}

/* ---- arrivals -------------------------------------------------------------------------------- */

enum { MOST_PARAMS = 2 };

/* The candidates of Minh 2012, 3.5.1. */
static const struct candidate {
    const char *name;
    const char *ks;
    const char *params[MOST_PARAMS];
} candidates[] = {
    {"gp",
     "bot.interarrival.fit.gp.ks",
     {"bot.interarrival.fit.gp.shape", "bot.interarrival.fit.gp.scale"}},
    {"weibull",
     "bot.interarrival.fit.weibull.ks",
     {"bot.interarrival.fit.weibull.shape", "bot.interarrival.fit.weibull.scale"}},
    {"lognormal",
     "bot.interarrival.fit.lognormal.ks",
     {"bot.interarrival.fit.lognormal.mu", "bot.interarrival.fit.lognormal.sigma"}},
    {"gamma",
     "bot.interarrival.fit.gamma.ks",
     {"bot.interarrival.fit.gamma.shape", "bot.interarrival.fit.gamma.scale"}},
    {"exponential",
     "bot.interarrival.fit.exponential.ks",
     {"bot.interarrival.fit.exponential.mean", NULL}},
};

/* Seconds are whole, so bags that arrive in the same second are 0 apart. Distributions that have no
 * zeros are fitted to the other values (loom_dist_fit); the distance is over all of them. */
static int put_fit(struct loom_results *results, const struct candidate *candidate,
                   const double *sorted, size_t n, struct loom_error *err)
{
    static const char reason[] = "the times between bags do not differ enough to be fitted";
    struct loom_fit fit = {0};
    double ks = 0;
    int rc = loom_dist_fit(&fit, candidate->name, sorted, NULL, n, err);
    if (!rc && !fit.converged)
        rc = LOOM_EDATA;
    for (size_t i = 0; i < MOST_PARAMS && candidate->params[i]; i++)
        if (loom_put_outcome(results, candidate->params[i], rc, fit.dist.params[i], reason))
            return rc;
    if (!rc)
        ks = loom_ks_one(&fit.dist, sorted, n);
    return loom_put_outcome(results, candidate->ks, rc, ks, reason);
}

static int put_interarrivals(struct loom_results *results, const struct collection *c,
                             struct loom_error *err)
{
    static const char too_few[] = "there are fewer than three bags, single jobs included";
    size_t n = c->bags->count - 1;
    struct loom_moments moments;
    for (size_t b = 0; b < n; b++)
        c->buffer[b] = (double)(arrival_s(c, b + 1) - arrival_s(c, b));
    int rc = loom_moments(&moments, c->buffer, n, err);
    if (rc)
        return rc;
    loom_put(results, "bot.interarrival.mean_s", moments.mean);
    if (moments.n < 2)
        loom_put_missing(results, "bot.interarrival.cv", too_few);
    else if (moments.mean <= 0)
        loom_put_missing(results, "bot.interarrival.cv", "all bags arrive in the same second");
    else
        loom_put(results, "bot.interarrival.cv", moments.cv);
    rc = loom_sort(c->buffer, n, err);
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates && !rc; i++)
        rc = put_fit(results, &candidates[i], c->buffer, n, err);
    return rc;
}

static int put_hurst(struct loom_results *results, const struct collection *c,
                     struct loom_error *err)
{
    int64_t *arrivals_s = malloc(c->bags->count * sizeof *arrivals_s);
    if (!arrivals_s)
        return loom_fail_memory(err);
    for (size_t b = 0; b < c->bags->count; b++)
        arrivals_s[b] = arrival_s(c, b);
    double *rate = NULL, h = 0;
    size_t n = 0;
    int rc = loom_rate_create(&rate, &n, arrivals_s, c->bags->count,
                              loom_results_definitions(results)->rate_interval_s, err);
    free(arrivals_s);
    if (!rc)
        rc = loom_rate_hurst(&h, rate, n, err);
    free(rate);
    return loom_put_outcome(results, "bot.hurst.mean", rc, h,
                            "there are too few intervals of the rate process, or too few with "
                            "arrivals, to estimate it");
}

/* ---- all ------------------------------------------------------------------------------------- */

static int put_real(struct loom_results *results, const struct collection *c,
                    struct loom_error *err)
{
    put_runtimes(results, c);
    int rc = put_durations(results, c, err);
    return rc ? rc : put_correlations(results, c, err);
}

static int put_arrivals(struct loom_results *results, const struct collection *c,
                        struct loom_error *err)
{
    int rc = put_interarrivals(results, c, err);
    return rc ? rc : put_hurst(results, c, err);
}

/* Two bags or more have arrivals, real ones have all the rest; this is why one of both is lacking.
 */
static const char *why_missing(const struct collection *c)
{
    if (c->bags->count > 1)
        return "no bag has more than one job";
    return c->real > 0 ? "there is only one bag" : "there is only one job";
}

static int put_all(struct loom_results *results, const struct collection *c, struct loom_error *err)
{
    put_consumption(results, c);
    int rc = put_like_gaps(results, c, err);
    if (!rc)
        rc = put_sizes(results, c, err);
    if (!rc && c->real > 0)
        rc = put_real(results, c, err);
    if (!rc && c->bags->count > 1)
        rc = put_arrivals(results, c, err);
    loom_put_rest_missing(results, why_missing(c));
    return rc;
}

static bool knows_users(const struct loom_workload *jobs)
{
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->user[i] >= 0)
            return true;
    return false;
}

static int bags_compute(const struct loom_workload *jobs, struct loom_results *results,
                        struct loom_error *err)
{
    if (!knows_users(jobs)) {
        loom_put_rest_missing(results, "no job has a user ID");
        return 0;
    }
    struct loom_bags *bags = NULL;
    int64_t gap_s = loom_results_definitions(results)->bag_gap_s;
    int rc = loom_bags_create(&bags, jobs->trace, gap_s, err);
    if (rc)
        return rc;
    struct collection c = {.jobs = jobs, .bags = bags};
    for (size_t b = 0; b < bags->count; b++)
        c.real += is_real(&c, b);
    c.buffer = malloc((bags->count + c.real) * sizeof *c.buffer);
    rc = c.buffer ? put_all(results, &c, err) : loom_fail_memory(err);
    free(c.buffer);
    loom_bags_destroy(bags);
    return rc;
}

static const struct loom_feature_info keys[] = {
    {"bot.count", "bags", "number of bags of tasks: at least two similar jobs in quick succession",
     "Minh 2012, 2.3.3, 3.4"},
    {"bot.job_fraction", "", "share of jobs that are in bags", "Minh 2012, 3.4, table 3.7"},
    {"bot.size.mean", "jobs", "mean number of jobs in a bag", "Minh 2012, 3.6, table 3.13"},
    {"bot.size.max", "jobs", "number of jobs in the largest bag", "Minh 2012, 3.6, table 3.13"},
    {"bot.size.alpha", "", "Zipf exponent of the sizes of bags, single jobs included",
     "Minh 2012, 3.4, figure 3.5"},
    {"bot.runtime.cv_mean", "",
     "mean over bags of the coefficient of variation of runtimes inside, with n and without bags "
     "of runtimes 0: below 1 they are similar",
     "Minh 2012, 3.4, table 3.8"},
    {"bot.runtime.mean_s", "s", "mean runtime of jobs in bags", "Minh 2012, 3.7, table 3.19"},
    {"bot.duration.p99_s", "s", "99th percentile of the time from a bag's first submit to its last",
     "Minh 2012, 3.4, figure 3.4"},
    {"bot.like_gap_fraction", "",
     "share of the times between successive like jobs of a user that are short enough for a bag",
     "Minh 2010, figure 2"},
    {"bot.occupation_fraction", "", "share of processor-seconds that jobs in bags use",
     "Minh 2012, 3.7, table 3.18"},
    {"bot.wait_fraction", "", "share of all waiting that jobs in bags do",
     "Minh 2012, 3.7, table 3.20"},
    {"bot.estimate_utilization", "",
     "processor-seconds that jobs in bags use over those they ask for",
     "Minh 2012, 3.6, table 3.17"},
    {"bot.corr.size_runtime", "",
     "Spearman correlation of the number of jobs in a bag with their mean runtime",
     "Minh 2012, 3.6, table 3.14"},
    {"bot.corr.size_procs", "",
     "Spearman correlation of the number of jobs in a bag with their processors",
     "Minh 2012, 3.6, table 3.15"},
    {"bot.corr.size_estimate", "",
     "Spearman correlation of the number of jobs in a bag with their estimate",
     "Minh 2012, 3.6, table 3.16"},
    {"bot.interarrival.mean_s", "s", "mean time between arrivals of bags, single jobs included",
     "Minh 2012, 3.5.1"},
    {"bot.interarrival.cv", "",
     "coefficient of variation of the times between bags: temporal burstiness",
     "Minh 2012, 3.5.1, table 3.11"},
    {"bot.interarrival.fit.gp.shape", "",
     "shape of the generalised Pareto distribution fitted to the times between bags",
     "Minh 2012, 3.5.1, table 3.9"},
    {"bot.interarrival.fit.gp.scale", "s", "scale of that generalised Pareto distribution",
     "Minh 2012, 3.5.1, table 3.9"},
    {"bot.interarrival.fit.gp.ks", "",
     "Kolmogorov-Smirnov distance of that generalised Pareto distribution from the times between "
     "bags",
     "Minh 2012, 3.5.1, table 3.10"},
    {"bot.interarrival.fit.weibull.shape", "",
     "shape of the Weibull distribution fitted to the times between bags",
     "Minh 2012, 3.5.1, table 3.9"},
    {"bot.interarrival.fit.weibull.scale", "s", "scale of that Weibull distribution",
     "Minh 2012, 3.5.1, table 3.9"},
    {"bot.interarrival.fit.weibull.ks", "",
     "Kolmogorov-Smirnov distance of that Weibull distribution from the times between bags",
     "Minh 2012, 3.5.1, table 3.10"},
    {"bot.interarrival.fit.lognormal.mu", "",
     "mean of the logarithm in the lognormal distribution fitted to the times between bags",
     "Minh 2012, 3.5.1, table 3.9"},
    {"bot.interarrival.fit.lognormal.sigma", "",
     "standard deviation of the logarithm in that lognormal distribution",
     "Minh 2012, 3.5.1, table 3.9"},
    {"bot.interarrival.fit.lognormal.ks", "",
     "Kolmogorov-Smirnov distance of that lognormal distribution from the times between bags",
     "Minh 2012, 3.5.1, table 3.10"},
    {"bot.interarrival.fit.gamma.shape", "",
     "shape of the gamma distribution fitted to the times between bags",
     "Minh 2012, 3.5.1, table 3.9"},
    {"bot.interarrival.fit.gamma.scale", "s", "scale of that gamma distribution",
     "Minh 2012, 3.5.1, table 3.9"},
    {"bot.interarrival.fit.gamma.ks", "",
     "Kolmogorov-Smirnov distance of that gamma distribution from the times between bags",
     "Minh 2012, 3.5.1, table 3.10"},
    {"bot.interarrival.fit.exponential.mean", "s",
     "mean of the exponential distribution fitted to the times between bags",
     "Minh 2012, 3.5.1, table 3.9"},
    {"bot.interarrival.fit.exponential.ks", "",
     "Kolmogorov-Smirnov distance of that exponential distribution from the times between bags",
     "Minh 2012, 3.5.1, table 3.10"},
    {"bot.hurst.mean", "", "mean of three Hurst estimates on the rate process of bags, as for jobs",
     "Minh 2012, 3.5.2, table 3.12"},
    {0},
};

const struct loom_family_ops loom_family_bags = {
    .name = "bags",
    .keys = keys,
    .compute = bags_compute,
};
