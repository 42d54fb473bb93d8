/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Speedup functions of parallel programs (survey 5.2): Downey's, of the average parallelism A and
 * its coefficient of variance sigma, and Sevcik's, of the parts of a program's runtime.
 *
 * Downey takes a program's parallelism to be A most of the time: with low variance (sigma <= 1) it
 * is A for all but a share sigma of the time, 1 for one half of that and 2A - 1 for the other. With
 * high variance (sigma >= 1) it is 1 for part of the time and A + A sigma - sigma for the rest.
 * Both give the same function at sigma = 1.
 *
 * Sevcik: T(n) = phi(n) W / n + alpha + beta n, with phi the imbalance of the parts, alpha what
 * cannot be done in parallel or is done by each processor, and beta what each processor adds to
 * communication. phi(1) = 1.
 */
#include <workloom/models.h>

#include <math.h>

/* Downey 1997; n may be any number from 1 up. */
static double low_variance(double a, double sigma, double n)
{
    if (n <= a)
        return a * n / (a + sigma / 2 * (n - 1));
    if (n <= 2 * a - 1)
        return a * n / (sigma * (a - 0.5) + n * (1 - sigma / 2));
    return a;
}

static double high_variance(double a, double sigma, double n)
{
    if (n <= a + a * sigma - sigma)
        return n * a * (sigma + 1) / (sigma * (n + a - 1) + a);
    return a;
}

static double downey(const struct loom_speedup *speedup, double n)
{
    double a = fmax(speedup->parallelism, 1), sigma = fmax(speedup->sigma, 0);
    return sigma <= 1 ? low_variance(a, sigma, n) : high_variance(a, sigma, n);
}

double loom_moldable_run_s(const struct loom_speedup *speedup, double work_s, int64_t n)
{
    double procs = n < 1 ? 1 : (double)n;
    if (speedup->kind == LOOM_SPEEDUP_DOWNEY)
        return work_s / downey(speedup, procs);
    double imbalance = n > 1 ? fmax(speedup->imbalance, 1) : 1;
    return imbalance * work_s / procs + speedup->fixed_s + speedup->per_processor_s * procs;
}

double loom_moldable_speedup(const struct loom_speedup *speedup, double work_s, int64_t n)
{
    if (speedup->kind == LOOM_SPEEDUP_DOWNEY)
        return downey(speedup, n < 1 ? 1 : (double)n);
    double run_s = loom_moldable_run_s(speedup, work_s, n);
    return run_s > 0 ? loom_moldable_run_s(speedup, work_s, 1) / run_s : 1;
}
