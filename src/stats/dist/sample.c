/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sample made ready for a fit. One pass adds up and finds the ends; only where the ends say that
 * something is outside the support, or has no weight, is the rest copied and gone over again.
 */
#include "base/sort.h"
#include "stats/dist/dist.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 4 }; /* independent sums, so that one addition need not wait for the last */

struct ends {
    double sum[LANES], low[LANES], high[LANES];
};

static void ends_take(struct ends *e, const double *x, size_t i)
{
    for (size_t lane = 0; lane < LANES; lane++) {
        double v = x[i + lane];
        e->sum[lane] += v;
        e->low[lane] = v < e->low[lane] ? v : e->low[lane];
        e->high[lane] = v > e->high[lane] ? v : e->high[lane];
    }
}

/* Sum, least and greatest of x[0..n), n > 0. A NaN or an infinity shows in the sum. */
static double sum_and_ends(const double *x, size_t n, double *low, double *high)
{
    struct ends e = {.sum = {0}};
    for (size_t lane = 0; lane < LANES; lane++)
        e.low[lane] = e.high[lane] = x[0];
    size_t whole = n - n % LANES;
    for (size_t i = 0; i < whole; i += LANES)
        ends_take(&e, x, i);
    double rest[LANES] = {x[0], x[0], x[0], x[0]};
    double sum = 0;
    for (size_t i = whole; i < n; i++) {
        rest[i - whole] = x[i];
        sum += x[i];
    }
    *low = *high = x[0];
    for (size_t lane = 0; lane < LANES; lane++) {
        *low = fmin(*low, fmin(e.low[lane], rest[lane]));
        *high = fmax(*high, fmax(e.high[lane], rest[lane]));
    }
    return sum + ((e.sum[0] + e.sum[1]) + (e.sum[2] + e.sum[3]));
}

static double dot(const double *x, const double *w, size_t n)
{
    double sum[LANES] = {0};
    size_t whole = n - n % LANES;
    for (size_t i = 0; i < whole; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            sum[lane] += x[i + lane] * w[i + lane];
    for (size_t i = whole; i < n; i++)
        sum[0] += x[i] * w[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static int find_infinite(const double *x, size_t n, const char *what, struct loom_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return loom_fail(err, LOOM_ERANGE, "%s %zu of %zu is not a finite number", what, i + 1,
                             n);
    return loom_fail(err, LOOM_ERANGE, "the %ss are too large to add up", what);
}

static int sample_add_up(struct loom_sample *s, struct loom_error *err)
{
    s->sum = sum_and_ends(s->x, s->n, &s->min, &s->max);
    s->weight = (double)s->n;
    if (!isfinite(s->sum))
        return find_infinite(s->x, s->n, "value", err);
    if (!s->weights)
        return 0;
    double least, most;
    s->weight = sum_and_ends(s->weights, s->n, &least, &most);
    if (!isfinite(s->weight))
        return find_infinite(s->weights, s->n, "weight", err);
    if (least < 0)
        return loom_fail(err, LOOM_ERANGE, "a weight is negative: %g", least);
    s->sum = dot(s->x, s->weights, s->n);
    if (!isfinite(s->sum))
        return loom_fail(err, LOOM_ERANGE, "the weighted values are too large to add up");
    return 0;
}

static int check_support(const struct loom_sample *s, struct loom_error *err)
{
    enum loom_support support = s->support;
    if (support != LOOM_LINE && s->min < 0)
        return loom_fail(err, LOOM_ERANGE,
                         "value %g is negative, leave out what is unknown before the fit", s->min);
    if (support == LOOM_UNIT && s->max > 1)
        return loom_fail(err, LOOM_ERANGE, "value %g is above 1", s->max);
    for (size_t i = 0; support == LOOM_COUNTS && i < s->n; i++)
        if (s->x[i] != floor(s->x[i]))
            return loom_fail(err, LOOM_ERANGE, "value %g is no whole number", s->x[i]);
    return 0;
}

static bool keeps(enum loom_support support, double x)
{
    switch (support) {
    case LOOM_POSITIVE:
    case LOOM_COUNTS:
        return x > 0;
    case LOOM_UNIT:
        return x > 0 && x < 1;
    default:
        return true;
    }
}

/* Copy what has weight and is inside the support, and add it up again. */
static int compact(struct loom_sample *s, struct loom_error *err)
{
    double *x = malloc(2 * s->n * sizeof *x);
    if (!x)
        return loom_fail_memory(err);
    double *w = x + s->n;
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++) {
        double weight = loom_sample_weight(s, i);
        bool inside = keeps(s->support, s->x[i]);
        s->left_out += weight > 0 && !inside;
        if (weight > 0 && inside) {
            x[kept] = s->x[i];
            w[kept++] = weight;
        }
    }
    s->weights = s->weights ? w : NULL;
    s->owned = x;
    s->x = x;
    s->n = kept;
    if (kept > 0)
        return sample_add_up(s, err);
    return loom_fail(err, LOOM_EDATA, "no value is left to fit to: %zu of %zu are %s", s->left_out,
                     s->given, s->support == LOOM_UNIT ? "0 or 1" : "zero");
}

static bool has_idle_weight(const struct loom_sample *s)
{
    for (size_t i = 0; s->weights && i < s->n; i++)
        if (s->weights[i] == 0)
            return true;
    return false;
}

int loom_sample_open(struct loom_sample *out, const double *x, const double *weights, size_t n,
                     enum loom_support support, struct loom_error *err)
{
    *out = (struct loom_sample){.x = x, .weights = weights, .n = n, .given = n, .support = support};
    int rc = sample_add_up(out, err);
    if (!rc && (!keeps(support, out->min) || !keeps(support, out->max) || has_idle_weight(out))) {
        rc = check_support(out, err);
        if (!rc)
            rc = compact(out, err);
    }
    if (!rc)
        rc = check_support(out, err);
    if (rc)
        loom_sample_close(out);
    return rc;
}

void loom_sample_close(struct loom_sample *sample)
{
    free(sample->owned);
    sample->owned = NULL;
}

int loom_sample_spread(const struct loom_sample *sample, struct loom_error *err)
{
    if (sample->min < sample->max)
        return 0;
    return loom_fail(err, LOOM_EDATA, "all %zu values are %g: a fit needs two different ones",
                     sample->n, sample->min);
}

static double sum_squares(const double *x, size_t n, double m)
{
    double sum[LANES] = {0};
    size_t whole = n - n % LANES;
    for (size_t i = 0; i < whole; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++) {
            double d = x[i + lane] - m;
            sum[lane] += d * d;
        }
    for (size_t i = whole; i < n; i++)
        sum[0] += (x[i] - m) * (x[i] - m);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double loom_sample_squares(const struct loom_sample *sample, double m)
{
    if (!sample->weights)
        return sum_squares(sample->x, sample->n, m);
    double sum = 0;
    for (size_t i = 0; i < sample->n; i++)
        sum += sample->weights[i] * ((sample->x[i] - m) * (sample->x[i] - m));
    return sum;
}

/* Sum of log x as the log of a product: the significands are multiplied, the exponents added. A
 * block's product of 4 x 250 significands in [1, 2) stays far below the largest double in each of
 * its four lanes. */
static double sum_log_block(const double *x, size_t n)
{
    double product[LANES] = {1, 1, 1, 1};
    int64_t exponent = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        exponent += (int64_t)(bits >> 52) - 1023;
        bits = (bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
        double significand;
        memcpy(&significand, &bits, sizeof significand);
        product[i % LANES] *= significand;
    }
    double logs = 0;
    for (size_t lane = 0; lane < LANES; lane++)
        logs += log(product[lane]);
    return logs + (double)exponent * M_LN2;
}

double loom_sample_sum_log(const struct loom_sample *sample)
{
    double sum = 0;
    if (sample->weights || sample->min < 0x1p-1022) {
        for (size_t i = 0; i < sample->n; i++)
            sum += loom_sample_weight(sample, i) * log(sample->x[i]);
        return sum;
    }
    for (size_t i = 0; i < sample->n; i += 1000) {
        size_t rest = sample->n - i;
        sum += sum_log_block(sample->x + i, rest < 1000 ? rest : 1000);
    }
    return sum;
}

/* ---- points ---------------------------------------------------------------------------------- */

struct pair {
    int64_t key; /* of a value, in the same order */
    double w;
};

/* The bits of a real number are in order once negative numbers have all bits but the sign flipped.
 */
static int64_t ordered_bits(int64_t bits)
{
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static int64_t sample_key_of(double x)
{
    int64_t bits;
    double plus_zero = x == 0 ? 0 : x;
    memcpy(&bits, &plus_zero, sizeof bits);
    return ordered_bits(bits);
}

static double sample_value_of(int64_t key)
{
    int64_t bits = ordered_bits(key);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void merge_equal(struct loom_points *out, const struct pair *sorted, size_t n)
{
    out->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && sorted[i].key == sorted[i - 1].key) {
            out->w[out->n - 1] += sorted[i].w;
            continue;
        }
        out->x[out->n] = sample_value_of(sorted[i].key);
        out->w[out->n++] = sorted[i].w;
    }
}

int loom_points_create(struct loom_points *out, const struct loom_sample *sample,
                       struct loom_error *err)
{
    size_t n = sample->n;
    *out = (struct loom_points){.x = malloc(n * sizeof *out->x), .w = malloc(n * sizeof *out->w)};
    struct pair *pairs = malloc(n * sizeof *pairs);
    for (size_t i = 0; pairs && i < n; i++)
        pairs[i] = (struct pair){sample_key_of(sample->x[i]), loom_sample_weight(sample, i)};
    bool ok = out->x && out->w && pairs && loom_sort_records(pairs, n) == 0;
    if (ok)
        merge_equal(out, pairs, n);
    free(pairs);
    if (ok)
        return 0;
    loom_points_free(out);
    return loom_fail_memory(err);
}

void loom_points_free(struct loom_points *points)
{
    free(points->x);
    free(points->w);
    *points = (struct loom_points){.n = 0};
}

/* ---- fits ------------------------------------------------------------------------------------ */

void loom_fit_note(struct loom_fit *fit, const char *format, ...)
{
    size_t used = strlen(fit->note);
    if (used > 0 && used + 2 < sizeof fit->note) {
        memcpy(fit->note + used, "; ", 3);
        used += 2;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(fit->note + used, sizeof fit->note - used, format, args);
    va_end(args);
}

void loom_fit_set(struct loom_fit *fit, const struct loom_sample *sample, size_t n_params,
                  const double *params)
{
    memcpy(fit->dist.params, params, n_params * sizeof *params);
    fit->dist.n_params = n_params;
    fit->weight = sample->weight;
    if (sample->left_out == 0)
        return;
    const char *what = sample->left_out == 1 ? "zero was" : "zeros were";
    if (sample->support == LOOM_UNIT)
        what = sample->left_out == 1 ? "value of 0 or 1 was" : "values of 0 or 1 were";
    loom_fit_note(fit, "%zu %s left out", sample->left_out, what);
}
