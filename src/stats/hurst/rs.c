/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rescaled range R/S grows like n^H with the size n of a block (survey section 4.2).
 *
 * loom_hurst_rs draws its line through the average of R/S over blocks side by side, for sizes from
 * 10 to a tenth of the series, ten a decade.
 *
 * loom_hurst_pox draws it through every single R/S (Zakay chapter 3, section 5.3): sizes from 10 to
 * the whole series, and for each size the same number of blocks, begun at even distances, which
 * overlap where the size is large. The same number, because a line through all points would
 * otherwise be one through the many small blocks.
 */
#include "stats/hurst/hurst.h"
#include "stats/values.h"

enum { MOST_SIZES = 1024, BLOCKS = 10, FIRST_SIZE = 10 };

/* The mean of R/S over the blocks that vary; 0 if none does. */
static double mean_rescaled_range(const double *x, size_t n, size_t size)
{
    double sum = 0;
    size_t used = 0;
    for (size_t i = 0; i + size <= n; i += size) {
        double rs = loom_rescaled_range(x + i, size);
        sum += rs;
        used += rs > 0;
    }
    return used > 0 ? sum / (double)used : 0;
}

int loom_hurst_rs(struct loom_hurst *out, const double *x, size_t n, struct loom_error *err)
{
    int rc = loom_hurst_begin(out, x, n, MOST_SIZES, err);
    if (rc)
        return rc;
    size_t sizes[MOST_SIZES];
    size_t count =
        loom_hurst_sizes(sizes, MOST_SIZES, FIRST_SIZE, fmax((double)n / 10, 16), pow(10, 0.1));
    for (size_t i = 0; i < count; i++)
        loom_hurst_point(out, (double)sizes[i], mean_rescaled_range(x, n, sizes[i]));
    return loom_hurst_end(out, 0, 1, err);
}

int loom_hurst_pox(struct loom_hurst *out, const double *x, size_t n, double factor,
                   struct loom_error *err)
{
    *out = (struct loom_hurst){.h_low = NAN, .h_high = NAN};
    if (!(factor >= 1.01 && factor <= 10))
        return loom_fail(err, LOOM_ERANGE,
                         "sizes of a pox plot grow by a factor from 1.01 to 10, not %g", factor);
    int rc = loom_hurst_begin(out, x, n, (size_t)MOST_SIZES * BLOCKS, err);
    if (rc)
        return rc;
    size_t sizes[MOST_SIZES];
    size_t count = loom_hurst_sizes(sizes, MOST_SIZES, FIRST_SIZE, (double)n, factor);
    for (size_t i = 0; i < count; i++) {
        size_t last = SIZE_MAX;
        for (size_t block = 0; block < BLOCKS; block++) {
            size_t start = (size_t)((double)(n - sizes[i]) * (double)block / (BLOCKS - 1));
            if (start != last)
                loom_hurst_point(out, (double)sizes[i], loom_rescaled_range(x + start, sizes[i]));
            last = start;
        }
    }
    return loom_hurst_end(out, 0, 1, err);
}
