#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tails written out from their definitions with NumPy, for tests/unit/test_tails.c:
python3 tails.py > tails.inc"""
import numpy as np
from samples import HEAVY, NAMES, TIES, UNIFORM, braces, number, sample
from scipy import stats


def llcd(x, fraction):
    x = np.sort(x)
    n = len(x)
    tail = x[n - int(np.ceil(n * fraction)) :]
    values = np.unique(tail)[:-1]
    above = np.array([(x > v).mean() for v in values])
    line = stats.linregress(np.log10(values), np.log10(above))
    return [line.slope, line.intercept, line.stderr, line.rvalue**2]


def hill(x, k):
    x = np.sort(x)[::-1]
    gaps = np.mean(np.log(x[:k] / x[k]))
    return 1 / gaps if gaps > 0 else np.inf


def power_tail(x):
    """Every cut-off, every value of its tail."""
    best = None
    for xmin in np.unique(x)[:-1]:
        tail = np.sort(x[x >= xmin])
        alpha = 1 + len(tail) / np.sum(np.log(tail / xmin))
        ks = stats.ks_1samp(tail, lambda v: 1 - (v / xmin) ** (1 - alpha)).statistic
        if best is None or ks < best[2]:
            best = (alpha, xmin, ks, len(tail))
    return best


def disparity(x):
    x = np.sort(x)
    p = np.arange(len(x) + 1) / len(x)
    mass = np.concatenate([[0], np.cumsum(x)]) / x.sum()
    joint = np.interp(1, p + mass, p)
    return [100 * (1 - joint), 1 - np.interp(0.5, mass, p), np.interp(0.5, p, mass)]


print(f"/* Made by tails.py with NumPy {np.__version__}. */")
for kind, seed, n in [(HEAVY, 21, 50), (HEAVY, 22, 700), (TIES, 23, 300), (UNIFORM, 24, 400),
                      (HEAVY, 25, 1500)]:
    x = sample(kind, seed, n) + (1 if kind == TIES else 0)
    sums = x[: n // 7 * 7].reshape(-1, 7).sum(axis=1)
    alpha, xmin, ks, count = power_tail(x)
    fraction = 1 if kind == TIES else 0.5
    print(f"{{{NAMES[kind]}, {seed}, {n}, {fraction}, {braces(llcd(x, fraction))},")
    print(f"    {braces(llcd(sums, 1))}, {number(hill(x, 10))}, {number(hill(x, n - 1))},")
    print(f"    {number(alpha)}, {number(xmin)}, {number(ks)}, {count},")
    print(f"    {braces(disparity(x))}}},")
