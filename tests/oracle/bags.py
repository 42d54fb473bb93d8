#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fits in tests/unit/test_bags.c that cannot be worked out by hand, by SciPy: the Zipf exponent of
the sizes of bags, and the distributions of the times between them, each with its distance."""
import numpy as np
from scipy import optimize, special, stats

SIZES = np.array([2, 1, 3, 1, 3, 4.0])
GAPS = np.array([201, 49, 20, 730, 4000.0])


def zipf_alpha():
    log_mean, step = np.log(SIZES).mean(), 1e-5

    def slope(alpha):
        up, down = np.log(special.zeta(alpha + step)), np.log(special.zeta(alpha - step))
        return (up - down) / (2 * step) + log_mean

    return optimize.brentq(slope, 1.1, 20, xtol=1e-14)


def gp():
    """Over t = shape / scale, with the best shape for each t (Grimshaw 1993)."""

    def loss(log_t):
        t = np.exp(log_t)
        shape = np.log1p(t * GAPS).mean()
        return np.log(shape / t) + shape + 1

    grid = np.linspace(-12, 0, 2001)
    start = grid[np.argmin([loss(g) for g in grid])]
    t = np.exp(optimize.minimize_scalar(loss, bounds=(start - 0.1, start + 0.1), method="bounded",
                                        options={"xatol": 1e-13}).x)
    shape = np.log1p(t * GAPS).mean()
    return stats.genpareto(shape, 0, shape / t), shape, shape / t


def weibull():
    def slope(k):
        power = GAPS**k
        return (power * np.log(GAPS)).sum() / power.sum() - 1 / k - np.log(GAPS).mean()

    shape = optimize.brentq(slope, 0.05, 5, xtol=1e-15)
    scale = (GAPS**shape).mean() ** (1 / shape)
    return stats.weibull_min(shape, 0, scale), shape, scale


def lognormal():
    mu, sigma = np.log(GAPS).mean(), np.log(GAPS).std()
    return stats.lognorm(sigma, 0, np.exp(mu)), mu, sigma


def gamma():
    gap = np.log(GAPS.mean()) - np.log(GAPS).mean()
    shape = optimize.brentq(lambda k: np.log(k) - special.digamma(k) - gap, 0.01, 10, xtol=1e-15)
    return stats.gamma(shape, 0, GAPS.mean() / shape), shape, GAPS.mean() / shape


print(f"zipf alpha {zipf_alpha():.10g}")
for fit in (gp, weibull, lognormal, gamma):
    dist, first, second = fit()
    print(f"{fit.__name__} {first:.12g} {second:.12g} ks {stats.kstest(GAPS, dist.cdf)[0]:.12g}")
