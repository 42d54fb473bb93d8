#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of fits and distances between samples by SciPy, for tests/unit/test_goodness.c:
python3 goodness.py > goodness.inc. One table for each macro that the test sets."""
import math

import numpy as np
import scipy
from samples import HEAVY, MEMORY, NAMES, SIGNED, TIES, UNIFORM, braces, number, sample
from scipy import stats
from scipy.stats._morestats import _anderson_ksamp_midrank

DISTRIBUTIONS = {
    "exponential": lambda mean: stats.expon(scale=mean),
    "weibull": lambda shape, scale: stats.weibull_min(shape, scale=scale),
    "lognormal": lambda mu, sigma: stats.lognorm(sigma, scale=math.exp(mu)),
    "normal": lambda mu, sigma: stats.norm(mu, sigma),
    "gamma": lambda shape, scale: stats.gamma(shape, scale=scale),
    "gp": lambda shape, scale: stats.genpareto(shape, scale=scale),
    "zipf": lambda alpha: stats.zipf(alpha),
}
# What is added to a sample so that the distribution could have made it.
SHIFTS = {"zipf": 1, "gp": -1}


def bins_for(n):
    return int(min(math.ceil(2 * n**0.4), n // 5))


def chi_square(x, dist, free):
    n = len(x)
    wanted = bins_for(n)
    edges = np.unique([dist.ppf(i / wanted) for i in range(1, wanted)])
    bins = len(edges) + 1
    if bins < free + 2:
        return math.nan, math.nan, 0
    seen = np.bincount(np.searchsorted(edges, x, side="left"), minlength=bins)
    expected = n * np.diff(np.concatenate([[0], dist.cdf(edges), [1]]))
    value = ((seen - expected) ** 2 / expected).sum()
    return value, stats.chi2.sf(value, bins - 1 - free), bins


def anderson_darling(x, dist):
    i = np.arange(1, len(x) + 1)
    return -len(x) - np.mean((2 * i - 1) * (dist.logcdf(x) + dist.logsf(x[::-1])))


def discrete_ks(x, dist):
    values = np.unique(x)
    upto = [(x <= v).mean() for v in values]
    below = [(x < v).mean() for v in values]
    return max(abs(dist.cdf(values) - upto).max(), abs(dist.cdf(values - 1) - below).max())


def fits():
    for name, params, free, kind, seed, n in [
        ("exponential", [0.5], 1, UNIFORM, 31, 10), ("exponential", [3], 0, HEAVY, 32, 1000),
        ("weibull", [0.7, 2], 2, HEAVY, 33, 300), ("lognormal", [0.5, 1.2], 2, HEAVY, 34, 2000),
        ("normal", [1000, 1200], 2, SIGNED, 35, 444), ("gamma", [2, 0.25], 2, UNIFORM, 36, 7),
        ("normal", [3, 3], 2, TIES, 37, 500), ("gamma", [11, 0.45], 2, MEMORY, 38, 5000),
        ("zipf", [2.1], 1, TIES, 39, 800), ("zipf", [1.5], 0, TIES, 40, 60),
        ("exponential", [1], 0, UNIFORM, 41, 1), ("gp", [1, 1], 0, HEAVY, 42, 900),
        ("gp", [0.95, 1.05], 2, HEAVY, 43, 100),
    ]:
        x = np.sort(sample(kind, seed, n)) + SHIFTS.get(name, 0)
        dist = DISTRIBUTIONS[name](*params)
        discrete = name == "zipf"
        ks = discrete_ks(x, dist) if discrete else stats.ks_1samp(x, dist.cdf).statistic
        ad = math.nan if discrete else anderson_darling(x, dist)
        chi2, p, bins = chi_square(x, dist, free)
        print(f'{{"{name}", {len(params)}, {braces(params)}, {free}, {NAMES[kind]}, {seed}, {n},')
        print(f"    {number(ks)}, {number(ad)}, {number(chi2)}, {number(p)}, {bins}}},")


def pairs():
    for a, b in [((UNIFORM, 51, 10), (UNIFORM, 52, 13)), ((TIES, 53, 40), (TIES, 54, 60)),
                 ((HEAVY, 55, 500), (HEAVY, 56, 100)), ((TIES, 57, 300), (UNIFORM, 58, 200)),
                 ((SIGNED, 59, 1), (SIGNED, 60, 5)), ((MEMORY, 61, 1000), (HEAVY, 62, 1500)),
                 ((TIES, 63, 50), (TIES, 63, 50))]:
        x, y = np.sort(sample(*a)), np.sort(sample(*b))
        z = np.sort(np.hstack([x, y]))
        ad = _anderson_ksamp_midrank([x, y], z, np.unique(z), 2, np.array([len(x), len(y)]), len(z))
        print(f"{{{NAMES[a[0]]}, {a[1]}, {a[2]}, {NAMES[b[0]]}, {b[1]}, {b[2]},")
        print(f"    {number(stats.ks_2samp(x, y).statistic)},"
              f" {number(stats.wasserstein_distance(x, y))}, {number(ad)}}},")


def limits():
    for value in [0.03, 0.2, 0.5, 0.8, 1, 1.17, 1.19, 1.36, 1.63, 2, 3, 5]:
        print(f"{{{value}, {number(stats.kstwobign.sf(value))}}},")


def exact():
    for n in [10, 20, 50, 200, 1000]:
        for p in [0.9, 0.5, 0.2, 0.1, 0.05, 0.01, 0.001]:
            print(f"{{{n}, {number(stats.kstwo.isf(p, n))}, {p}}},")


print(f"/* Made by goodness.py with SciPy {scipy.__version__}. */")
for macro, table in [("FITS", fits), ("PAIRS", pairs), ("LIMITS", limits), ("EXACT", exact)]:
    print(f"#ifdef {macro}")
    table()
    print(f"#undef {macro}\n#endif")
