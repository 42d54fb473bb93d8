#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Descriptions, ranks, correlations, autocorrelations, entropies and lines by NumPy and SciPy, for
tests/unit/test_describe.c:   python3 describe.py > describe.inc"""
import numpy as np
import scipy
from samples import HEAVY, MEMORY, NAMES, SIGNED, TIES, UNIFORM, braces, number, sample
from scipy import stats

PS = [0, 0.01, 0.25, 0.5, 0.637, 0.9, 0.999, 1]


def describe(x):
    return [x.mean(), x.std(ddof=1), x.std(ddof=1) / x.mean(), stats.skew(x), stats.kurtosis(x),
            x.min(), np.median(x), x.max(), x.sum()]


def autocorrelation(x, lags):
    d = x - x.mean()
    return [np.dot(d[: len(d) - k], d[k:]) / np.dot(d, d) for k in lags]


print(f"/* Made by describe.py with NumPy {np.__version__} and SciPy {scipy.__version__}. */")
for kind, seed, n in [(UNIFORM, 1, 7), (UNIFORM, 2, 1000), (HEAVY, 3, 199), (HEAVY, 4, 2000),
                      (TIES, 5, 11), (TIES, 6, 500), (SIGNED, 7, 200), (SIGNED, 8, 3001),
                      (MEMORY, 9, 1024), (MEMORY, 10, 777)]:
    x = sample(kind, seed, n)
    y = sample(TIES if kind != TIES else SIGNED, seed + 100, n) + x
    ranks = stats.rankdata(x)
    line = stats.linregress(x, y)
    p = abs(x) / abs(x).sum()
    lags = [0, 1, 2, 5, n // 2, n - 1]
    print(f"{{{NAMES[kind]}, {seed}, {n}, {braces(describe(x))},")
    print(f"    {braces(np.quantile(x, PS))},")
    print(f"    {number(np.dot(np.arange(1, n + 1), ranks))}, {number(stats.pearsonr(x, y)[0])},"
          f" {number(stats.spearmanr(x, y)[0])},")
    print(f"    {braces(autocorrelation(x, lags))}, {number(stats.entropy(p) / np.log(n))},")
    print(f"    {braces([line.slope, line.intercept, line.stderr, line.rvalue ** 2])}}},")
