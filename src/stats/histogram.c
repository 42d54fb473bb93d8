/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histograms with bins of equal width, or of equal width in the logarithm.
 *
 * A bin holds its lower edge and not its upper one, except for the last, which holds both. The bin
 * of a value is guessed from a division and then settled by comparison with the edges, so that
 * counts and edges never disagree by a rounding.
 */
#include <workloom/stats.h>

#include <math.h>
#include <stdlib.h>

enum { MOST_BINS = 10000000 };

static int histogram_allocate(struct loom_histogram *out, size_t bins, struct loom_error *err)
{
    *out = (struct loom_histogram){.bins = bins};
    out->edges = malloc((bins + 1) * sizeof *out->edges);
    out->counts = calloc(bins, sizeof *out->counts);
    if (out->edges && out->counts)
        return 0;
    loom_histogram_free(out);
    return loom_fail_memory(err);
}

/* guess is where the value would be by division; it may be off by a rounding, or be anything. */
static void histogram_count(struct loom_histogram *histogram, double value, double guess)
{
    size_t last = histogram->bins - 1;
    if (!(value >= histogram->edges[0] && value <= histogram->edges[last + 1]))
        return;
    size_t bin = guess > 0 ? (guess < (double)last ? (size_t)guess : last) : 0;
    while (bin > 0 && value < histogram->edges[bin])
        bin--;
    while (bin < last && value >= histogram->edges[bin + 1])
        bin++;
    histogram->counts[bin]++;
}

int loom_histogram_linear(struct loom_histogram *out, const double *x, size_t n, double low,
                          double high, size_t bins, struct loom_error *err)
{
    *out = (struct loom_histogram){0};
    if (!(low < high) || !isfinite(high - low))
        return loom_fail(err, LOOM_ERANGE, "a histogram from %g to %g has no bins", low, high);
    if (bins == 0 || bins > MOST_BINS)
        return loom_fail(err, LOOM_ERANGE, "a histogram has from 1 to %d bins, not %zu", MOST_BINS,
                         bins);
    int rc = histogram_allocate(out, bins, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < bins; i++)
        out->edges[i] = low + (high - low) * ((double)i / (double)bins);
    out->edges[bins] = high;
    for (size_t i = 0; i < n; i++)
        histogram_count(out, x[i], (x[i] - low) / (high - low) * (double)bins);
    return 0;
}

/* Smallest and largest of the positive, finite values; false if there are none. */
static bool positive_range(double *low, double *high, const double *x, size_t n)
{
    *low = INFINITY;
    *high = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] > 0 && isfinite(x[i])))
            continue;
        *low = fmin(*low, x[i]);
        *high = fmax(*high, x[i]);
    }
    return *high > 0;
}

int loom_histogram_log(struct loom_histogram *out, const double *x, size_t n, double per_decade,
                       struct loom_error *err)
{
    *out = (struct loom_histogram){0};
    if (!(per_decade > 0 && per_decade <= MOST_BINS / 1000.0))
        return loom_fail(err, LOOM_ERANGE, "a decade cannot have %g bins", per_decade);
    double low;
    double high;
    if (!positive_range(&low, &high, x, n))
        return loom_fail(err, LOOM_EDATA, "a logarithmic histogram needs positive values");
    /* Edges lie at whole multiples, so that histograms of different samples share them. */
    double first = floor(log10(low) * per_decade);
    double last = floor(log10(high) * per_decade) + 1;
    int rc = histogram_allocate(out, (size_t)(last - first), err);
    if (rc)
        return rc;
    for (size_t i = 0; i <= out->bins; i++)
        out->edges[i] = pow(10, (first + (double)i) / per_decade);
    out->edges[0] = fmin(out->edges[0], low);
    out->edges[out->bins] = fmax(out->edges[out->bins], high);
    for (size_t i = 0; i < n; i++)
        if (x[i] > 0)
            histogram_count(out, x[i], log10(x[i]) * per_decade - first);
    return 0;
}

void loom_histogram_free(struct loom_histogram *histogram)
{
    if (!histogram)
        return;
    free(histogram->edges);
    free(histogram->counts);
    *histogram = (struct loom_histogram){0};
}
