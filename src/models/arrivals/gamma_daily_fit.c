/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fit Lublin and Feitelson's arrivals to a log.
 *
 * As the paper does it: a gamma is fitted to the logarithms of the times between jobs at peak hours
 * (section 7.1: 8:00 to 19:00, Monday to Friday; both jobs in the same day's peak), arar is the
 * mean logarithm of all times between jobs over the mean of those, and a gamma is fitted to the
 * numbers of the slots that jobs came in (section 7.2). Times of 0 and 1 s have no positive
 * logarithm and are left out.
 *
 * This does not give the log's arrival rate (see gamma_daily_rate.c). By default the fit keeps two
 * means of the log instead: of the logarithms, in the seconds that the method draws, and of the
 * gaps.
 *
 * The model that these parameters go into is another one: the slot-weight method draws virtual
 * seconds, and its slots have the weights of a gamma that is cut off at both ends of the day. By
 * likelihood, the daily gamma is the one whose slot weights make the counts most likely, gaps are
 * taken in the virtual seconds that it gives, and their gamma is one cut off at both ends. That
 * returns the parameters of a log which the model made; arar is then 1.
 */
#include "base/civil.h"
#include "models/arrivals/gamma_daily.h"
#include "stats/dist/dist.h"
#include "stats/log_gamma.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { LEAST_GAPS = 20, LEAST_VIRTUAL_S = 5, QUIET_SLOTS = 10 };
enum { PEAK_FROM_S = 8 * 3600, PEAK_TO_S = 19 * 3600 };

/* Logarithms of times between jobs. */
struct gaps {
    double *logs; /* NULL if only their sum is wanted */
    size_t n;
    double sum, most;
};

static void add_gap(struct gaps *gaps, double gap_s, double least_s)
{
    if (!(gap_s > least_s))
        return;
    double x = log(gap_s);
    if (gaps->logs)
        gaps->logs[gaps->n] = x;
    gaps->n++;
    gaps->sum += x;
    gaps->most = fmax(gaps->most, x);
}

static double gamma_daily_mean_of(const struct gaps *gaps)
{
    return gaps->sum / (double)gaps->n;
}

/* ---- the daily cycle ------------------------------------------------------------------------- */

size_t loom_daily_slot(int64_t local_s)
{
    int64_t second;
    loom_civil_day(local_s, &second);
    return (size_t)second / LOOM_SLOT_S;
}

/* The daily gamma as the paper fits it: to slot numbers, with as many jobs each as came in it. */
static int fit_slots(struct loom_gamma_daily *out, const double *counts, const char *model,
                     struct loom_error *err)
{
    double numbers[LOOM_SLOTS];
    for (int i = 0; i < LOOM_SLOTS; i++)
        numbers[i] = i + 1 + (i < QUIET_SLOTS ? LOOM_SLOTS : 0);
    struct loom_fit fit;
    int rc = loom_dist_fit(&fit, "gamma", numbers, counts, LOOM_SLOTS, err);
    if (rc == LOOM_EDATA)
        return loom_fail(err, LOOM_EDATA,
                         "%s needs jobs at more than one time of the day to be fitted to", model);
    if (rc)
        return rc;
    out->cycle_shape = fit.dist.params[0];
    out->cycle_scale = fit.dist.params[1];
    return 0;
}

/* Minus the log-likelihood of the counts; x is log shape and log mean. */
static double cycle_cost(const double *x, void *context)
{
    const double *counts = context;
    double weights[LOOM_SLOTS], sum = 0;
    loom_daily_weights(weights, exp(x[0]), exp(x[1] - x[0]));
    for (int i = 0; i < LOOM_SLOTS; i++)
        sum -= counts[i] * log(weights[i]);
    return sum;
}

static int refine_cycle(struct loom_gamma_daily *out, double *counts, struct loom_error *err)
{
    double at[] = {log(out->cycle_shape), log(out->cycle_shape * out->cycle_scale)};
    int rc = loom_minimum_near(at, 2, cycle_cost, counts, 0.1, err);
    out->cycle_shape = exp(at[0]);
    out->cycle_scale = exp(at[1] - at[0]);
    return rc;
}

/* ---- times between jobs, as the paper takes them --------------------------------------------- */

static bool at_peak(int64_t local_s, int64_t *day)
{
    int64_t second;
    *day = loom_civil_day(local_s, &second);
    int weekday = loom_civil_weekday(*day);
    return weekday >= 1 && weekday <= 5 && second >= PEAK_FROM_S && second < PEAK_TO_S;
}

static void take_peak(struct gaps *peak, const int64_t *local_s, size_t n)
{
    int64_t last_day = INT64_MIN, day;
    for (size_t i = 0; i < n; i++) {
        bool now = at_peak(local_s[i], &day);
        if (now && day == last_day)
            add_gap(peak, (double)(local_s[i] - local_s[i - 1]), 1);
        last_day = now ? day : INT64_MIN;
    }
}

static void take_all(struct gaps *gaps, const int64_t *local_s, size_t n)
{
    for (size_t i = 1; i < n; i++)
        add_gap(gaps, (double)(local_s[i] - local_s[i - 1]), 1);
}

static int fit_peak(struct loom_gamma_daily *out, const struct gaps *peak, const struct gaps *all,
                    const char *model, struct loom_error *err)
{
    if (peak->n < LEAST_GAPS)
        return loom_fail(err, LOOM_EDATA,
                         "%s needs at least %d times of more than 1 s between jobs at peak hours "
                         "(8:00 to 19:00, Monday to Friday) to be fitted to, and there are %zu",
                         model, LEAST_GAPS, peak->n);
    struct loom_fit fit;
    int rc = loom_dist_fit(&fit, "gamma", peak->logs, NULL, peak->n, err);
    if (rc)
        return rc;
    out->shape = fit.dist.params[0];
    out->scale = fit.dist.params[1];
    out->arar = gamma_daily_mean_of(all) / gamma_daily_mean_of(peak);
    return 0;
}

/* ---- times between jobs, as the slot-weight method draws them -------------------------------- */

typedef void add_fn(struct gaps *gaps, double gap_s);

/* Virtual seconds since the midnight before 1970. */
static double virtual_s(const double *weights, const double *starts, int64_t local_s)
{
    int64_t second, day = loom_civil_day(local_s, &second);
    size_t slot = (size_t)second / LOOM_SLOT_S;
    return (double)day * starts[LOOM_SLOTS] + starts[slot] +
           (double)(second % LOOM_SLOT_S) * weights[slot];
}

/* Visit the times between jobs in virtual seconds. */
static void take_virtual(struct gaps *gaps, const struct loom_gamma_daily *daily,
                         const int64_t *local_s, size_t n, add_fn *add)
{
    double weights[LOOM_SLOTS], starts[LOOM_SLOTS + 1] = {0};
    loom_daily_weights(weights, daily->cycle_shape, daily->cycle_scale);
    for (int t = 0; t < LOOM_SLOTS; t++)
        starts[t + 1] = starts[t] + LOOM_SLOT_S * weights[t];
    double before = virtual_s(weights, starts, local_s[0]);
    for (size_t i = 1; i < n; i++) {
        double now = virtual_s(weights, starts, local_s[i]);
        add(gaps, now - before);
        before = now;
    }
}

static void add_seen(struct gaps *gaps, double gap_s)
{
    add_gap(gaps, gap_s, LEAST_VIRTUAL_S);
}

/* A gamma that is cut off at both ends, by the means of x and log x. Whole seconds blur the gaps of
 * a few of them, which are therefore left out. */
struct cut_off {
    double mean_x, mean_log, least, limit;
};

static double cut_off_cost(const double *at, void *context)
{
    const struct cut_off *sample = context;
    double shape = exp(at[0]), scale = exp(at[1] - at[0]);
    double within =
        gsl_cdf_gamma_P(sample->limit, shape, scale) - gsl_cdf_gamma_P(sample->least, shape, scale);
    return -((shape - 1) * sample->mean_log - sample->mean_x / scale - shape * log(scale) -
             loom_log_gamma(shape) - log(within));
}

static int fit_virtual(struct loom_gamma_daily *out, const struct gaps *gaps, const char *model,
                       struct loom_error *err)
{
    if (gaps->n < LEAST_GAPS)
        return loom_fail(err, LOOM_EDATA,
                         "%s needs at least %d times of more than %d s between jobs to be fitted "
                         "to, and there are %zu",
                         model, LEAST_GAPS, LEAST_VIRTUAL_S, gaps->n);
    struct loom_fit fit;
    int rc = loom_dist_fit(&fit, "gamma", gaps->logs, NULL, gaps->n, err);
    if (rc)
        return rc;
    double mean_log = 0;
    for (size_t i = 0; i < gaps->n; i++)
        mean_log += log(gaps->logs[i]) / (double)gaps->n;
    struct cut_off sample = {gamma_daily_mean_of(gaps), mean_log, log(LEAST_VIRTUAL_S), gaps->most};
    double at[] = {log(fit.dist.params[0]), log(fit.dist.params[0] * fit.dist.params[1])};
    rc = loom_minimum_near(at, 2, cut_off_cost, &sample, 0.1, err);
    out->shape = exp(at[0]);
    out->scale = exp(at[1] - at[0]);
    out->arar = 1;
    return rc;
}

/* ---- times between jobs at the log's rate ---------------------------------------------------- */

/* Times of at most a second count as one of logarithm 0, which no gamma has but many come near. */
static void add_any(struct gaps *gaps, double gap_s)
{
    add_gap(gaps, fmax(gap_s, 1), 0);
}

static int fit_rate(struct loom_gamma_daily *out, const int64_t *local_s, size_t n,
                    const char *model, struct loom_error *err)
{
    struct gaps gaps = {.logs = NULL};
    if (out->method == LOOM_DAILY_SLOT_WEIGHT)
        take_virtual(&gaps, out, local_s, n, add_any);
    for (size_t i = 1; i < n && out->method != LOOM_DAILY_SLOT_WEIGHT; i++)
        add_any(&gaps, (double)(local_s[i] - local_s[i - 1]));
    if (gaps.n < LEAST_GAPS || !(gaps.sum > 0))
        return loom_fail(err, LOOM_EDATA,
                         "%s needs at least %d times between jobs to be fitted to, not all of at "
                         "most 1 s, and there are %zu",
                         model, LEAST_GAPS, gaps.n);
    out->limit = gaps.most;
    loom_daily_match_rate(out, gamma_daily_mean_of(&gaps),
                          (double)(local_s[n - 1] - local_s[0]) / (double)(n - 1));
    return 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int fit_as_paper(struct loom_gamma_daily *out, double *logs, const int64_t *local_s,
                        size_t n, const char *model, struct loom_error *err)
{
    struct gaps all = {.logs = NULL}, peak = {.logs = logs};
    take_all(&all, local_s, n);
    take_peak(&peak, local_s, n);
    out->limit = all.most;
    return fit_peak(out, &peak, &all, model, err);
}

static int fit_by_likelihood(struct loom_gamma_daily *out, double *counts, double *logs,
                             const int64_t *local_s, size_t n, const char *model,
                             struct loom_error *err)
{
    struct gaps gaps = {.logs = logs};
    int rc = refine_cycle(out, counts, err);
    if (rc)
        return rc;
    take_virtual(&gaps, out, local_s, n, add_seen);
    out->limit = gaps.most;
    rc = fit_virtual(out, &gaps, model, err);
    if (!rc && out->method != LOOM_DAILY_SLOT_WEIGHT)
        rc = loom_daily_fit_slots(out, local_s, n, LEAST_VIRTUAL_S, err);
    return rc;
}

static int fit_any(struct loom_gamma_daily *out, const int64_t *local_s, size_t n,
                   const struct loom_daily_fitting *options, struct loom_error *err)
{
    double counts[LOOM_SLOTS] = {0};
    for (size_t i = 0; i < n; i++)
        counts[loom_daily_slot(local_s[i])]++;
    *out = (struct loom_gamma_daily){.method = options->method};
    int rc = fit_slots(out, counts, options->model, err);
    double *logs = rc ? NULL : malloc((n + 1) * sizeof *logs);
    if (!rc && !logs)
        rc = loom_fail_memory(err);
    if (!rc && options->estimators == LOOM_ESTIMATORS_LIKELIHOOD)
        rc = fit_by_likelihood(out, counts, logs, local_s, n, options->model, err);
    else if (!rc && options->gaps == LOOM_GAPS_PEAK)
        rc = fit_as_paper(out, logs, local_s, n, options->model, err);
    else if (!rc)
        rc = fit_rate(out, local_s, n, options->model, err);
    free(logs);
    return rc;
}

/* The methods with a shape for each slot need not have parameters for a log, however long it is:
 * going round from shapes to jumps and back may not end, and the likelihood may grow without end as
 * the day becomes no gamma at all. */
static int fail_endless(const int64_t *local_s, size_t n, const struct loom_daily_fitting *options,
                        struct loom_error *err)
{
    struct loom_daily_fitting as_paper = *options;
    struct loom_gamma_daily other;
    as_paper.estimators = LOOM_ESTIMATORS_PAPER;
    bool paper = options->estimators == LOOM_ESTIMATORS_LIKELIHOOD &&
                 !fit_any(&other, local_s, n, &as_paper, NULL) && loom_gamma_daily_runs(&other);
    return loom_fail(err, LOOM_EDATA,
                     "%s: fitting the daily cycle with cycle=%s%s does not come to an end on this "
                     "log; take cycle=slot-weight%s",
                     options->model, loom_daily_methods[options->method],
                     options->estimators == LOOM_ESTIMATORS_LIKELIHOOD ? " by likelihood" : "",
                     paper ? ", or estimators=paper" : "");
}

int loom_gamma_daily_fit(struct loom_gamma_daily *out, const int64_t *local_s, size_t n,
                         const struct loom_daily_fitting *options, struct loom_error *err)
{
    if (options->gaps_given && options->estimators == LOOM_ESTIMATORS_LIKELIHOOD)
        return loom_fail(err, LOOM_EUSAGE,
                         "%s: gaps is for estimators=paper; by likelihood, times between jobs are "
                         "neither of the log's rate nor of peak hours",
                         options->model);
    int rc = fit_any(out, local_s, n, options, err);
    if (!rc && options->method != LOOM_DAILY_SLOT_WEIGHT && !loom_gamma_daily_runs(out))
        rc = fail_endless(local_s, n, options, err);
    return rc;
}
