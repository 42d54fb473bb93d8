/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Straight lines by least squares, plain or weighted.
 *
 * A line through two points leaves no scatter: its slope_se is 0. Where all y are the same the line
 * explains all there is, and r2 is 1.
 */
#include "stats/line.h"
#include "stats/values.h"

/* Weighted means, and sums of squares and products around them. */
struct sums {
    double w, mean_x, mean_y, xx, xy, yy;
};

static double weight_at(const double *weights, size_t i)
{
    return weights ? weights[i] : 1;
}

static struct sums line_add_up(const double *x, const double *y, const double *weights, size_t n)
{
    struct sums s = {0};
    for (size_t i = 0; i < n; i++) {
        double w = weight_at(weights, i);
        s.w += w;
        s.mean_x += w * x[i];
        s.mean_y += w * y[i];
    }
    s.mean_x /= s.w;
    s.mean_y /= s.w;
    for (size_t i = 0; i < n; i++) {
        double w = weight_at(weights, i);
        double dx = x[i] - s.mean_x;
        double dy = y[i] - s.mean_y;
        s.xx += w * dx * dx;
        s.xy += w * dx * dy;
        s.yy += w * dy * dy;
    }
    return s;
}

static int line_fit(struct loom_line *out, struct sums *s, const double *x, const double *y,
                    const double *weights, size_t n, struct loom_error *err)
{
    *out = (struct loom_line){0};
    int rc = loom_values_check_varying(x, n, 2, "a line", err);
    if (rc == 0)
        rc = loom_values_check(y, n, 2, "a line", err);
    if (rc)
        return rc;
    *s = line_add_up(x, y, weights, n);
    if (!(s->xx > 0) || !isfinite(s->xx) || !isfinite(s->yy) || !isfinite(s->xy))
        return loom_fail(err, LOOM_EDATA, "the points are too near or too far for a line");
    out->slope = s->xy / s->xx;
    out->intercept = s->mean_y - out->slope * s->mean_x;
    out->r2 = s->yy > 0 ? fmin(1, s->xy / s->xx * (s->xy / s->yy)) : 1;
    return 0;
}

int loom_line_fit(struct loom_line *out, const double *x, const double *y, size_t n,
                  struct loom_error *err)
{
    struct sums s;
    int rc = line_fit(out, &s, x, y, NULL, n, err);
    if (rc == 0 && n > 2)
        out->slope_se = sqrt(fmax(0, s.yy - out->slope * s.xy) / (double)(n - 2) / s.xx);
    return rc;
}

int loom_line_fit_weighted(struct loom_line *out, const double *x, const double *y,
                           const double *weights, size_t n, struct loom_error *err)
{
    struct sums s;
    int rc = line_fit(out, &s, x, y, weights, n, err);
    if (rc == 0)
        out->slope_se = 1 / sqrt(s.xx);
    return rc;
}
