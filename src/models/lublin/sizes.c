/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes of the Lublin-Feitelson model (section 4): with probability p1 a job is serial. Otherwise
 * the logarithm of its size is two-stage uniform, and with probability p2 it is rounded to a whole
 * number; the size is 2 to that power, rounded.
 *
 * As the paper fits it, p1 is the share of serial jobs, p2 of powers of two among the others, low
 * lies 0.2 below the least logarithm, high is the greatest, and medium and probability minimize the
 * Kolmogorov-Smirnov distance between the sizes of the model and of the log. To keep the log's mean
 * size, a linear function of the probability, only pairs with this mean are tried.
 *
 * Some sizes that were not rounded are powers of two by chance, and a whole size stands for a range
 * of logarithms. The likelihood estimators fit all five parameters of the parallel jobs to the
 * counts of sizes, with the model's own probabilities.
 */
#include "base/sort.h"
#include "models/lublin/lublin.h"
#include "stats/dist/dist.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double below_least = 0.2;   /* Table 1: low is the least logarithm less this */
static const double least_stage = 1.5;   /* medium is at least this much below high, ... */
static const double serial_log = 0.5850; /* log2 1.5: what is below would be rounded to 1 */

/* ---- making sizes ---------------------------------------------------------------------------- */

void loom_lublin_sizer_open(struct loom_lublin_sizer *out, const struct loom_lublin_sizes *sizes,
                            int32_t procs, int32_t log_procs)
{
    double moved = log2((double)procs / log_procs), most = log2(procs);
    *out = (struct loom_lublin_sizer){.sizes = *sizes};
    struct loom_lublin_sizes *s = &out->sizes;
    s->low = fmin(s->low, most);
    s->high = fmin(fmax(s->high + moved, s->low), most);
    s->medium += moved;
    if (s->medium <= s->low) /* a small machine: as near to high as the program's text allows */
        s->medium = s->high - least_stage;
    if (s->medium <= s->low || s->medium >= s->high)
        s->medium = (s->low + s->high) / 2;
    if (procs == 1)
        s->serial = 1;
    while (out->most_exponent < 30 && INT32_C(2) << out->most_exponent <= procs)
        out->most_exponent++;
}

static double lublin_sizes_quantile(const struct loom_lublin_sizes *s, double u)
{
    if (u < s->probability)
        return s->low + (s->medium - s->low) * (u / s->probability);
    return s->medium + (s->high - s->medium) * ((u - s->probability) / (1 - s->probability));
}

/* Return the size at u. After each choice, u is rescaled to a uniform number again. */
int32_t loom_lublin_size(const struct loom_lublin_sizer *sizer, double u)
{
    const struct loom_lublin_sizes *s = &sizer->sizes;
    if (u < s->serial)
        return 1;
    u = (u - s->serial) / (1 - s->serial);
    if (u < s->power_of_two) {
        int exponent = (int)(lublin_sizes_quantile(s, u / s->power_of_two) + 0.5);
        return INT32_C(1) << (exponent < sizer->most_exponent ? exponent : sizer->most_exponent);
    }
    u = (u - s->power_of_two) / (1 - s->power_of_two);
    return (int32_t)(exp2(lublin_sizes_quantile(s, u)) + 0.5);
}

void loom_lublin_sizes_describe(struct loom_lublin_sizes *sizes, struct loom_codec *codec)
{
    loom_codec_real(codec, "serial", &sizes->serial, 0, 1);
    loom_codec_real(codec, "power_of_two", &sizes->power_of_two, 0, 1);
    loom_codec_open(codec, "log2");
    loom_codec_real(codec, "low", &sizes->low, 0, 31);
    loom_codec_real(codec, "medium", &sizes->medium, sizes->low, 31);
    loom_codec_real(codec, "high", &sizes->high, sizes->medium, 31);
    loom_codec_real(codec, "probability", &sizes->probability, 0, 1);
    loom_codec_close(codec);
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* The different sizes of parallel jobs, ascending, and how many jobs have them. */
struct counts {
    double *log2_size, *jobs;
    double *from, *to; /* logarithms that are rounded to that size */
    size_t n;
    double parallel, powers;
    double log2_procs;    /* of the machine */
    double most_exponent; /* of a power of two that it has */
};

static bool is_power(double log2_size)
{
    return log2_size == floor(log2_size);
}

static void count_size(struct counts *counts, int64_t size)
{
    size_t last = counts->n - 1;
    counts->parallel++;
    if (counts->n == 0 || counts->log2_size[last] != log2((double)size)) {
        last = counts->n++;
        counts->log2_size[last] = log2((double)size);
        counts->from[last] = log2((double)size - 0.5);
        counts->to[last] = log2((double)size + 0.5);
    }
    counts->jobs[last]++;
    counts->powers += is_power(counts->log2_size[last]);
}

static void free_counts(struct counts *counts)
{
    free(counts->log2_size);
    free(counts->jobs);
    free(counts->from);
    free(counts->to);
}

static int make_counts(struct counts *out, const struct loom_lublin_jobs *jobs, int32_t procs,
                       struct loom_error *err)
{
    int64_t *sizes = malloc((jobs->n + 1) * sizeof *sizes);
    for (size_t i = 0; sizes && i < jobs->n; i++)
        sizes[i] = jobs->procs[i];
    size_t different = sizes ? loom_sort_int64(sizes, jobs->n) + 1 : 1;
    *out = (struct counts){.log2_size = calloc(different, sizeof(double)),
                           .jobs = calloc(different, sizeof(double)),
                           .from = calloc(different, sizeof(double)),
                           .to = calloc(different, sizeof(double)),
                           .log2_procs = log2(procs),
                           .most_exponent = floor(log2(procs))};
    if (!sizes || !out->log2_size || !out->jobs || !out->from || !out->to) {
        free(sizes);
        free_counts(out);
        return loom_fail_memory(err);
    }
    for (size_t i = 0; i < jobs->n; i++)
        if (sizes[i] > 1)
            count_size(out, sizes[i]);
    free(sizes);
    return 0;
}

/* ---- as the paper does it -------------------------------------------------------------------- */

enum { LOW, MEDIUM, HIGH, PROBABILITY, POWER_OF_TWO, COORDINATES };

/* The two-stage uniform's cdf. */
static double stage_cdf(const double *x, double probability, double at)
{
    if (at <= x[LOW])
        return 0;
    if (at < x[MEDIUM])
        return probability * (at - x[LOW]) / (x[MEDIUM] - x[LOW]);
    if (at < x[HIGH])
        return probability + (1 - probability) * (at - x[MEDIUM]) / (x[HIGH] - x[MEDIUM]);
    return 1;
}

/* The distance between the sizes of the log and those that the model makes, rounded as it does. */
static double lublin_sizes_distance(const struct loom_lublin_sizes *s, const struct counts *counts)
{
    const double x[] = {[LOW] = s->low, [MEDIUM] = s->medium, [HIGH] = s->high};
    double most = 0, seen = 0;
    for (size_t i = 0; i + 1 < counts->n; i++) {
        double exponent = floor(counts->log2_size[i]);
        double rounded = exponent < counts->most_exponent ? exponent + 0.5 : INFINITY;
        double made = s->power_of_two * stage_cdf(x, s->probability, rounded) +
                      (1 - s->power_of_two) * stage_cdf(x, s->probability, counts->to[i]);
        seen += counts->jobs[i];
        most = fmax(most, fabs(made - seen / counts->parallel));
    }
    return most;
}

/* For a medium, the distance is the greatest of many straight lines over the probability, and so
 * has one minimum. */
static double nearest_probability(struct loom_lublin_sizes s, const struct counts *counts)
{
    enum { STEPS = 32 };
    double low = 0, high = 1;
    for (int i = 0; i < STEPS; i++) {
        double first = low + (high - low) / 3, second = high - (high - low) / 3;
        s.probability = first;
        double at_first = lublin_sizes_distance(&s, counts);
        s.probability = second;
        if (at_first < lublin_sizes_distance(&s, counts))
            high = second;
        else
            low = first;
    }
    return (low + high) / 2;
}

static double mean_size(struct loom_lublin_sizes s, double probability, int32_t procs)
{
    enum { PLACES = 2048 };
    struct loom_lublin_sizer sizer;
    double sum = 0;
    s.probability = probability;
    loom_lublin_sizer_open(&sizer, &s, procs, procs);
    for (int i = 0; i < PLACES; i++)
        sum += loom_lublin_size(&sizer, (i + 0.5) / PLACES);
    return sum / PLACES;
}

/* Return the probability with this mean size; NAN if there is none. */
static double probability_for(const struct loom_lublin_sizes *s, double mean, int32_t procs)
{
    double first = mean_size(*s, 1, procs), second = mean_size(*s, 0, procs);
    double probability = (second - mean) / (second - first);
    return probability > 0 && probability < 1 ? probability : NAN;
}

/* What to look for: a mean size, or NAN for the nearest of all. */
struct aim {
    double mean_size;
    int32_t procs;
};

/* Try mediums between two, a step apart; returns the least distance. */
static double try_mediums(struct loom_lublin_sizes *best, double least, double from, double to,
                          double step, const struct counts *counts, const struct aim *aim)
{
    struct loom_lublin_sizes s = *best;
    for (s.medium = from; s.medium < to; s.medium += step) {
        if (!(s.medium > s.low && s.medium < s.high))
            continue;
        s.probability = isnan(aim->mean_size) ? nearest_probability(s, counts)
                                              : probability_for(&s, aim->mean_size, aim->procs);
        double apart = isnan(s.probability) ? INFINITY : lublin_sizes_distance(&s, counts);
        if (apart < least) {
            least = apart;
            *best = s;
        }
    }
    return least;
}

static void lublin_sizes_match(struct loom_lublin_sizes *out, const struct counts *counts,
                               const struct aim *aim)
{
    static const double coarse = 0.05, fine = 0.002;
    out->power_of_two = counts->powers / counts->parallel;
    out->low = counts->log2_size[0] - below_least;
    out->high = counts->log2_size[counts->n - 1];
    out->medium = (out->low + out->high) / 2;
    out->probability = 0.5;
    double least = try_mediums(out, INFINITY, out->low + coarse, out->high, coarse, counts, aim);
    try_mediums(out, least, out->medium - coarse, out->medium + coarse, fine, counts, aim);
    if (isinf(least) && !isnan(aim->mean_size))
        lublin_sizes_match(out, counts, &(struct aim){NAN, aim->procs});
}

/* ---- by likelihood --------------------------------------------------------------------------- */

static double logit(double p)
{
    p = fmin(fmax(p, 1e-9), 1 - 1e-9);
    return log(p / (1 - p));
}

static double lublin_sizes_share(double logit)
{
    return 1 / (1 + exp(-logit));
}

/* The probability of a size: rounded to a power of two or not. Powers of two that are too large
 * become the largest that the machine has. */
static double chance(const double *x, const struct counts *counts, size_t i)
{
    double probability = lublin_sizes_share(x[PROBABILITY]),
           rounded = lublin_sizes_share(x[POWER_OF_TWO]);
    double size = counts->log2_size[i];
    double sum = (1 - rounded) * (stage_cdf(x, probability, counts->to[i]) -
                                  stage_cdf(x, probability, counts->from[i]));
    if (is_power(size)) {
        double up = size < counts->most_exponent ? size + 0.5 : INFINITY;
        sum += rounded * (stage_cdf(x, probability, up) - stage_cdf(x, probability, size - 0.5));
    }
    return sum;
}

static double lublin_sizes_cost(const double *x, void *context)
{
    const struct counts *counts = context;
    double sum = 0;
    if (!(x[LOW] >= serial_log && x[LOW] < x[MEDIUM] && x[MEDIUM] < x[HIGH] &&
          x[HIGH] <= counts->log2_procs))
        return INFINITY;
    for (size_t i = 0; i < counts->n; i++)
        sum -= counts->jobs[i] * log(chance(x, counts, i));
    return sum;
}

/* Minimize from a start, and keep the result if it is the best so far. */
static int descend(struct loom_lublin_sizes *best, double *least, const struct loom_lublin_sizes *s,
                   struct counts *counts, struct loom_error *err)
{
    double at[COORDINATES] = {[LOW] = s->low,
                              [MEDIUM] = s->medium,
                              [HIGH] = s->high,
                              [PROBABILITY] = logit(s->probability),
                              [POWER_OF_TWO] = logit(s->power_of_two)};
    int rc = loom_minimum_near(at, COORDINATES, lublin_sizes_cost, counts, 0.1, err);
    double found = lublin_sizes_cost(at, counts);
    if (rc || !(found < *least))
        return rc;
    *least = found;
    best->low = at[LOW];
    best->medium = at[MEDIUM];
    best->high = at[HIGH];
    best->probability = lublin_sizes_share(at[PROBABILITY]);
    best->power_of_two = lublin_sizes_share(at[POWER_OF_TWO]);
    return 0;
}

/* Of mediums between the same two sizes one may be likelier than those near it, and most so where
 * sizes are powers of two: the search begins from the nearest medium, and from one between any two
 * powers. */
static int refine(struct loom_lublin_sizes *s, struct counts *counts, struct loom_error *err)
{
    struct loom_lublin_sizes start = *s;
    double least = INFINITY;
    int rc = descend(s, &least, &start, counts, err);
    for (start.medium = floor(start.low) + 1.5; start.medium < start.high && !rc; start.medium++) {
        start.probability = nearest_probability(start, counts);
        rc = descend(s, &least, &start, counts, err);
    }
    return rc;
}

static double lublin_sizes_mean_of(const int32_t *procs, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += procs[i];
    return sum / (double)n;
}

int loom_lublin_sizes_fit(struct loom_lublin_sizes *out, const struct loom_lublin_jobs *jobs,
                          const struct loom_lublin_fitting *options, struct loom_error *err)
{
    struct counts counts;
    int rc = make_counts(&counts, jobs, options->procs, err);
    if (rc)
        return rc;
    struct aim aim = {options->means == LOOM_MEANS_LOG ? lublin_sizes_mean_of(jobs->procs, jobs->n)
                                                       : NAN,
                      options->procs};
    *out = (struct loom_lublin_sizes){.serial = 1 - counts.parallel / (double)jobs->n,
                                      .low = 1,
                                      .medium = 1,
                                      .high = 1};
    if (counts.n > 0)
        lublin_sizes_match(out, &counts, &aim);
    if (counts.n > 1 && options->estimators == LOOM_ESTIMATORS_LIKELIHOOD)
        rc = refine(out, &counts, err);
    free_counts(&counts);
    return rc;
}
