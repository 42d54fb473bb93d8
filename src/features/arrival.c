/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrivals of jobs: interarrival times, their dispersion over intervals of time, and the rate
 * process, counts in successive intervals of 900 s (Minh 2012, 2.2, 3.2). Intervals are counted
 * from the first submit; the last one, which holds the last submit, counts as a whole.
 */
#include "features/dependence.h"
#include "features/measure.h"
#include "features/rate.h"

#include <math.h>
#include <stdlib.h>
#include <workloom/stats.h>

static int64_t since_first(const struct loom_workload *jobs, size_t job)
{
    return jobs->submit_s[job] - jobs->submit_s[0];
}

/* ---- interarrival times ---------------------------------------------------------------------- */

static void put_moments(struct loom_results *results, const struct loom_moments *m)
{
    loom_put(results, "arrival.interarrival.mean_s", m->mean);
    loom_put(results, "arrival.interarrival.median_s", m->median);
    if (m->n < 2)
        loom_put_missing(results, "arrival.interarrival.cv", "there are fewer than three jobs");
    else if (m->mean <= 0)
        loom_put_missing(results, "arrival.interarrival.cv", "all jobs arrive in the same second");
    else
        loom_put(results, "arrival.interarrival.cv", m->cv);
}

static int put_interarrival(struct loom_results *results, const struct loom_workload *jobs,
                            struct loom_error *err)
{
    if (jobs->n < 2)
        return 0;
    double *gaps = malloc((jobs->n - 1) * sizeof *gaps);
    if (!gaps)
        return loom_fail_memory(err);
    for (size_t i = 1; i < jobs->n; i++)
        gaps[i - 1] = (double)(jobs->submit_s[i] - jobs->submit_s[i - 1]);
    struct loom_moments moments;
    int rc = loom_moments(&moments, gaps, jobs->n - 1, err);
    free(gaps);
    if (!rc)
        put_moments(results, &moments);
    return rc;
}

/* ---- entropy --------------------------------------------------------------------------------- */

/* The arrivals over intervals of one length, of which only those that are not empty are visited. */
struct spread {
    double intervals, taken;
    double entropy; /* -sum of p log p */
};

static struct spread spread_over(const struct loom_workload *jobs, int64_t length_s)
{
    struct spread spread = {.intervals = (double)(jobs->span_s / length_s) + 1};
    for (size_t i = 0; i < jobs->n;) {
        size_t first = i;
        int64_t start_s = since_first(jobs, i) / length_s * length_s;
        while (i < jobs->n && since_first(jobs, i) - start_s < length_s)
            i++;
        double p = (double)(i - first) / (double)jobs->n;
        spread.entropy -= p * log(p);
        spread.taken++;
    }
    return spread;
}

/* 2010 paper, eq. 4. */
static void put_entropies(struct loom_results *results, const struct loom_workload *jobs)
{
    static const struct {
        const char *key;
        int64_t length_s;
    } scales[] = {
        {"arrival.entropy.900", 900},
        {"arrival.entropy.1800", 1800},
        {"arrival.entropy.3600", 3600},
        {"arrival.entropy.86400", 86400},
    };
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        struct spread spread = spread_over(jobs, scales[i].length_s);
        if (spread.intervals > 1)
            loom_put(results, scales[i].key, spread.entropy / log(spread.intervals));
        else
            loom_put_missing(results, scales[i].key, "all jobs arrive within one interval");
    }
}

/* ---- the rate process ------------------------------------------------------------------------ */

static int64_t interval_s(const struct loom_results *results)
{
    return loom_results_definitions(results)->rate_interval_s;
}

static int put_acf(struct loom_results *results, const double *rate, size_t n,
                   struct loom_error *err)
{
    static const struct {
        const char *key;
        int64_t lag_s;
        const char *too_short;
    } lags[] = {
        {"arrival.acf.day", 86400, "the log is not longer than a day"},
        {"arrival.acf.week", 7 * 86400, "the log is not longer than a week"},
    };
    int64_t length_s = interval_s(results);
    size_t week = (size_t)(lags[1].lag_s / length_s), most = n > week ? week : n - 1;
    double *acf = calloc(most + 1, sizeof *acf);
    int rc = acf ? loom_acf(acf, rate, n, most, err) : loom_fail_memory(err);
    for (size_t i = 0; i < sizeof lags / sizeof *lags && rc != LOOM_ENOMEM; i++)
        if (lags[i].lag_s % length_s != 0)
            loom_put_missing(results, lags[i].key, "it is not a whole number of intervals");
        else if ((size_t)(lags[i].lag_s / length_s) > most)
            loom_put_missing(results, lags[i].key, lags[i].too_short);
        else
            loom_put_outcome(results, lags[i].key, rc, acf[lags[i].lag_s / length_s],
                             "the arrival rate never changes");
    free(acf);
    return rc == LOOM_ENOMEM ? rc : 0;
}

typedef int estimator_fn(struct loom_hurst *out, const double *x, size_t n, struct loom_error *err);

/* The first three are averaged in Minh 2012. low and high are NULL where no interval is
 * reported. */
enum { AVERAGED = 3 };
static const struct {
    estimator_fn *estimate;
    const char *key, *low, *high;
} estimators[] = {
    {loom_hurst_aggvar, "arrival.hurst.aggvar", NULL, NULL},
    {loom_hurst_rs, "arrival.hurst.rs", NULL, NULL},
    {loom_hurst_periodogram, "arrival.hurst.periodogram", NULL, NULL},
    {loom_rate_pox, "arrival.hurst.pox", NULL, NULL},
    {loom_hurst_wavelet, "arrival.hurst.wavelet", "arrival.hurst.wavelet.low",
     "arrival.hurst.wavelet.high"},
    {loom_hurst_whittle, "arrival.hurst.whittle", "arrival.hurst.whittle.low",
     "arrival.hurst.whittle.high"},
};

static const char too_few_arrivals[] =
    "there are too few intervals of the rate process, or too few with arrivals, to estimate it";

/* Minh 2012, table 3.2, prints the mean and the standard deviation (with n - 1) of three
 * estimates. */
static void put_average(struct loom_results *results, const double *h)
{
    double mean = (h[0] + h[1] + h[2]) / AVERAGED;
    double squares = 0;
    for (int i = 0; i < AVERAGED; i++)
        squares += (h[i] - mean) * (h[i] - mean);
    loom_put(results, "arrival.hurst.mean", mean);
    loom_put(results, "arrival.hurst.sd", sqrt(squares / (AVERAGED - 1)));
}

/* The pox plot goes by hours, whatever the interval. */
static int estimate_hurst(struct loom_hurst *hurst, estimator_fn *estimator, const double *rate,
                          size_t n, const struct loom_workload *jobs, struct loom_error *err)
{
    if (estimator != loom_rate_pox)
        return estimator(hurst, rate, n, err);
    double *quarters = NULL;
    int rc = loom_rate_create(&quarters, &n, jobs->submit_s, jobs->n, LOOM_RATE_S, err);
    if (!rc)
        rc = estimator(hurst, quarters, n, err);
    free(quarters);
    return rc;
}

static int put_hurst(struct loom_results *results, const double *rate, size_t n,
                     const struct loom_workload *jobs, struct loom_error *err)
{
    double averaged[AVERAGED];
    size_t n_averaged = 0;
    for (size_t i = 0; i < sizeof estimators / sizeof *estimators; i++) {
        struct loom_hurst hurst = {0};
        int rc = estimate_hurst(&hurst, estimators[i].estimate, rate, n, jobs, err);
        double h = hurst.h, low = hurst.h_low, high = hurst.h_high;
        loom_hurst_free(&hurst);
        if (loom_put_outcome(results, estimators[i].key, rc, h, too_few_arrivals))
            return rc;
        if (rc == 0 && estimators[i].low) {
            loom_put(results, estimators[i].low, low);
            loom_put(results, estimators[i].high, high);
        }
        if (rc == 0 && i < AVERAGED)
            averaged[n_averaged++] = h;
    }
    if (n_averaged == AVERAGED)
        put_average(results, averaged);
    loom_put_rest_missing(results, too_few_arrivals);
    return 0;
}

static int put_rate(struct loom_results *results, const struct loom_workload *jobs,
                    struct loom_error *err)
{
    double *rate = NULL;
    size_t n = 0;
    int rc = loom_rate_create(&rate, &n, jobs->submit_s, jobs->n, interval_s(results), err);
    if (rc == LOOM_EDATA) {
        loom_put_rest_missing(results, "the submit times span centuries; clean the log first");
        return 0;
    }
    if (!rc)
        rc = put_acf(results, rate, n, err);
    if (!rc)
        rc = put_hurst(results, rate, n, jobs, err);
    free(rate);
    return rc;
}

static int arrival_compute(const struct loom_workload *jobs, struct loom_results *results,
                           struct loom_error *err)
{
    if (jobs->n < 2) {
        loom_put_rest_missing(results, "there are fewer than two jobs");
        return 0;
    }
    struct spread spread = spread_over(jobs, interval_s(results));
    loom_put(results, "arrival.rate900.zero_fraction", 1 - spread.taken / spread.intervals);
    put_entropies(results, jobs);
    int rc = put_interarrival(results, jobs, err);
    if (!rc)
        rc = loom_put_dependence(results, jobs, err);
    return rc ? rc : put_rate(results, jobs, err);
}

static const struct loom_feature_info keys[] = {
    {"arrival.interarrival.mean_s", "s", "mean time between successive submits",
     "Minh 2012, 2.1, 3.2"},
    {"arrival.interarrival.median_s", "s", "median time between successive submits",
     "Minh 2012, 2.1, 3.2"},
    {"arrival.interarrival.cv", "",
     "coefficient of variation of interarrival times: temporal burstiness, 1 for a Poisson process",
     "Minh 2012, 2.3.1, 3.2"},
    {"arrival.rate900.zero_fraction", "",
     "share of intervals of the rate process (default 900 s) without arrivals", "Minh 2012, 4.2"},
    {"arrival.hurst.aggvar", "", "Hurst parameter of the rate process by aggregate variance",
     "Minh 2012, 3.2"},
    {"arrival.hurst.rs", "", "Hurst parameter of the rate process by the R/S statistic",
     "Minh 2012, 3.2"},
    {"arrival.hurst.periodogram", "", "Hurst parameter of the rate process by periodogram",
     "Minh 2012, 3.2"},
    {"arrival.hurst.mean", "",
     "mean of the three Hurst estimates; cycles raise it above 0.5 as long-range dependence does",
     "Minh 2012, 3.2"},
    {"arrival.hurst.sd", "", "standard deviation of the three Hurst estimates", "Minh 2012, 3.2"},
    {"arrival.hurst.pox", "", "Hurst parameter by the slope of the R/S pox plot",
     "Zakay 2017, chapter 3, 5.3"},
    {"arrival.hurst.wavelet", "",
     "Hurst parameter of the rate process by the wavelet estimate of Abry and Veitch; above "
     "1 "
     "the process is not stationary",
     "Abry and Veitch 1998"},
    {"arrival.hurst.wavelet.low", "", "lower end of the wavelet estimate's 95 % interval",
     "Abry and Veitch 1998"},
    {"arrival.hurst.wavelet.high", "", "upper end of the wavelet estimate's 95 % interval",
     "Abry and Veitch 1998"},
    {"arrival.hurst.whittle", "",
     "Hurst parameter of the rate process by the local Whittle estimate; above 1 the process "
     "is not stationary",
     "Robinson 1995"},
    {"arrival.hurst.whittle.low", "", "lower end of the local Whittle estimate's 95 % interval",
     "Robinson 1995"},
    {"arrival.hurst.whittle.high", "", "upper end of the local Whittle estimate's 95 % interval",
     "Robinson 1995"},
    {"arrival.dependence.h", "",
     "Hurst parameter of hourly arrivals without daily and weekly cycles, by the local Whittle "
     "estimate on waves of at least four days; 0.5 without long-range dependence",
     "Robinson 1995"},
    {"arrival.dependence.low", "",
     "lower end of its 99 % interval: above 0.5 arrivals are long-range dependent",
     "Robinson 1995"},
    {"arrival.dependence.high", "", "upper end of its 99 % interval", "Robinson 1995"},
    {"arrival.dependence.cycles_removed", "",
     "share of the variance of hourly arrivals in daily and weekly cycles, removed for the "
     "estimate",
     ""},
    {"arrival.acf.day", "", "autocorrelation of the rate process at a lag of one day",
     "Minh 2012, 3.5.2"},
    {"arrival.acf.week", "", "autocorrelation of the rate process at a lag of one week",
     "Minh 2012, 3.5.2"},
    {"arrival.entropy.900", "",
     "normalised entropy of arrivals over 900 s intervals: 1 is even, 0 all in one",
     "Minh 2010, V.A"},
    {"arrival.entropy.1800", "", "normalised entropy of arrivals over half hours",
     "Minh 2010, V.A"},
    {"arrival.entropy.3600", "", "normalised entropy of arrivals over hours", "Minh 2010, V.A"},
    {"arrival.entropy.86400", "", "normalised entropy of arrivals over days", "Minh 2010, V.A"},
    {0},
};

const struct loom_family_ops loom_family_arrival = {
    .name = "arrival",
    .keys = keys,
    .compute = arrival_compute,
};
