/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the estimators of the Hurst parameter share. */
#include "stats/hurst/hurst.h"
#include "stats/values.h"

int loom_hurst_begin(struct loom_hurst *out, const double *x, size_t n, size_t room,
                     struct loom_error *err)
{
    *out = (struct loom_hurst){.h_low = NAN, .h_high = NAN};
    int rc = loom_values_check_varying(x, n, LOOM_HURST_LEAST, "a Hurst parameter", err);
    if (rc)
        return rc;
    out->log_x = malloc(room * sizeof *out->log_x);
    out->log_y = malloc(room * sizeof *out->log_y);
    if (!out->log_x || !out->log_y)
        return loom_hurst_give_up(out, loom_fail_memory(err));
    return 0;
}

void loom_hurst_point(struct loom_hurst *hurst, double scale, double statistic)
{
    if (!(statistic > 0 && isfinite(statistic)))
        return;
    hurst->log_x[hurst->points] = log10(scale);
    hurst->log_y[hurst->points++] = log10(statistic);
}

int loom_hurst_end(struct loom_hurst *hurst, double offset, double factor, struct loom_error *err)
{
    int rc = 0;
    if (hurst->points < 3)
        rc = loom_fail(err, LOOM_EDATA,
                       "a Hurst parameter needs three scales to be seen at, this series gives %zu",
                       hurst->points);
    else
        rc = loom_line_fit(&hurst->line, hurst->log_x, hurst->log_y, hurst->points, err);
    if (rc)
        return loom_hurst_give_up(hurst, rc);
    hurst->h = offset + factor * hurst->line.slope;
    return 0;
}

int loom_hurst_give_up(struct loom_hurst *hurst, int rc)
{
    loom_hurst_free(hurst);
    return rc;
}

void loom_hurst_free(struct loom_hurst *hurst)
{
    if (!hurst)
        return;
    free(hurst->log_x);
    free(hurst->log_y);
    *hurst = (struct loom_hurst){.h_low = NAN, .h_high = NAN};
}

size_t loom_hurst_sizes(size_t *sizes, size_t room, double low, double high, double factor)
{
    size_t used = 0;
    for (double at = low; at <= high && used < room; at *= factor) {
        size_t size = (size_t)(at + 0.5);
        if (used == 0 || size > sizes[used - 1])
            sizes[used++] = size;
    }
    return used;
}

double loom_rescaled_range(const double *x, size_t n)
{
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += x[i];
    mean /= (double)n;
    double sum = 0;
    double squares = 0;
    double low = 0;
    double high = 0;
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - mean;
        squares += d * d;
        sum += d;
        low = sum < low ? sum : low;
        high = sum > high ? sum : high;
    }
    /* The rounded mean of equal values need not be that value: such a block does not vary. */
    if (!(squares > 0) || loom_values_constant(x, n))
        return 0;
    return (high - low) / sqrt(squares / (double)n);
}
