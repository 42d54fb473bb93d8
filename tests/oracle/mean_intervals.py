#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Intervals of means, ratios and shares, batch means and MSER-5 by NumPy and SciPy, for
tests/unit/test_mean_intervals.c:   python3 mean_intervals.py > mean_intervals.inc

Fieller's interval is found without his formula: the ratios r at which the paired t test of a - r b
has p = 0.05. Bootstraps are of NumPy's own random numbers, so the test compares their ends with a
tolerance. MSER-5 is by its definition, without recursion."""
import numpy as np
import scipy
from samples import HEAVY, MEMORY, NAMES, TIES, UNIFORM, braces, number, sample
from scipy import optimize, stats

ROUNDS = 200000


def t_interval(x, level):
    return stats.t.interval(level, len(x) - 1, x.mean(), stats.sem(x))


def fieller(a, b):
    def p(r):
        return stats.ttest_rel(a, r * b).pvalue - 0.05

    ratio = a.mean() / b.mean()
    return optimize.brentq(p, 1e-6 * ratio, ratio), optimize.brentq(p, ratio, 1e6 * ratio)


def bootstrap(x, rng):
    n = len(x)
    means, ts = [], []
    for _ in range(ROUNDS // 1000):
        y = x[rng.integers(0, n, (1000, n))]
        m = y.mean(axis=1)
        means.append(m)
        ts.append((m - x.mean()) / (y.std(axis=1, ddof=1) / np.sqrt(n)))
    percentile = np.quantile(np.concatenate(means), [0.025, 0.975])
    t = np.quantile(np.concatenate(ts), [0.975, 0.025])
    return list(percentile) + list(x.mean() - t * stats.sem(x))


def bootstrap_log_ratio(a, b, rng):
    n = len(a)
    ls, ts = [], []
    observed = np.log(a.mean() / b.mean())

    def error(a, b, axis):
        ma, mb = a.mean(axis=axis, keepdims=True), b.mean(axis=axis, keepdims=True)
        return (a / ma - b / mb).std(axis=axis, ddof=1) / np.sqrt(n)

    for _ in range(ROUNDS // 1000):
        pick = rng.integers(0, n, (1000, n))
        l = np.log(a[pick].mean(axis=1) / b[pick].mean(axis=1))
        ls.append(l)
        ts.append((l - observed) / error(a[pick], b[pick], 1))
    t = np.quantile(np.concatenate(ts), [0.975, 0.025])
    ends = np.quantile(np.concatenate(ls), [0.025, 0.975])
    return list(np.exp(ends)) + list(np.exp(observed - t * error(a, b, 0)))


def batch_means(x, k):
    size = len(x) // k
    means = x[len(x) - k * size:].reshape(k, size).mean(axis=1)
    d = means - means.mean()
    return [means.mean(), *t_interval(means, 0.95), (d[1:] * d[:-1]).sum() / (d * d).sum()]


def mser5(x):
    z = x[: len(x) // 5 * 5].reshape(-1, 5).mean(axis=1)
    mser = [((z[d:] - z[d:].mean()) ** 2).sum() / (len(z) - d) ** 2 for d in range(len(z) // 2 + 1)]
    best = int(np.argmin(mser))
    return best * 5, mser[best]


print(f"/* Made by mean_intervals.py with NumPy {np.__version__} and SciPy {scipy.__version__}. */")
rng = np.random.default_rng(1)
for kind, seed, n in [(UNIFORM, 1, 7), (UNIFORM, 2, 30), (HEAVY, 3, 30), (TIES, 4, 50), (MEMORY, 5, 200),
                      (TIES, 6, 1003)]:
    x = sample(kind, seed, n)
    y = sample(UNIFORM, seed + 100, n) + 0.2 * x + 0.5
    print(f"{{{NAMES[kind]}, {seed}, {n}, {braces([*t_interval(x, 0.95), *t_interval(x, 0.8)])},")
    print(f"    {number(stats.ttest_1samp(x - 2, 0).pvalue)}, {braces(fieller(x, y))},")
    print(f"    {braces(bootstrap(x, rng))}, {braces(bootstrap_log_ratio(x, y, rng))},")
    if n >= 50:
        cut, least = mser5(x)
        print(f"    {braces(batch_means(x, 10))}, {cut}, {number(least)}}},")
    else:
        print("    {0}, 0, 0},")
