#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The parameters of mwm and mmwm written out with NumPy, by sums over blocks instead of a
transform, for tests/unit/test_cascade.c:   python3 cascade.py > cascade.inc"""
import numpy as np
from samples import MEMORY, NAMES, TIES, braces, number, sample

MOST = 10


def counts(kind, seed, n):
    x = sample(kind, seed, n)
    x = np.floor(np.maximum(0, 4 * (x - 4.8))) if kind == MEMORY else np.maximum(0, x - 3)
    x[0] = 1
    x[-1] = max(1, x[-1])
    return x


def cut(n, least):
    depth = max(d for d in range(40) if n // 2**d >= least)
    return n // 2**depth, depth


def blocks(x, size):
    return x.reshape(-1, size).sum(axis=1)


def haar(x, roots, depth):
    """c_j and d_j for j = 1 .. depth, and whether there is something in both halves."""
    c, d, both = [], [], []
    for j in range(1, depth + 1):
        half = 2 ** (depth - j)
        norm = np.sqrt(2.0 * half)
        left, right = blocks(x, half)[0::2], blocks(x, half)[1::2]
        c.append((left + right) / norm)
        d.append((left - right) / norm)
        both.append((left > 0) & (right > 0))
    return c, d, both


def printed_betas(c, d):
    a = d[0][c[0] > 0] / c[0][c[0] > 0]
    p = [1 / (2 * np.mean(a**2)) - 0.5]
    for j in range(1, len(d)):
        p.append(0.5 * (np.mean(d[j - 1] ** 2) / np.mean(d[j] ** 2) * (p[-1] + 1) - 1))
    return p


def improved_betas(c, d, both):
    ratio = [np.sum(dd[b] ** 2) / np.sum(cc[b] ** 2) for cc, dd, b in zip(c, d, both)]
    return [1 / (2 * v) - 0.5 for v in ratio]


def runs(x):
    text = "".join("0" if v == 0 else " " for v in x)
    return [len(run) for run in text.split()]


def printed_shares(x, depth):
    r = runs(x)
    level = [min(int(np.floor(np.log2(k) + 0.5)), depth - 1) for k in r]
    z = np.mean(x == 0)
    return [z * level.count(depth - 1 - i) / len(r) for i in range(depth)]


def improved_shares(x, depth):
    share = [0.0] * depth
    for k in runs(x):
        level = min(int(np.floor(np.log2(k) + 0.5)), depth - 1)
        share[depth - 1 - level] += k / len(x)
    return share


def padded(values):
    return braces(list(values) + [0] * (MOST - len(values)))


print(f"/* Made by cascade.py with NumPy {np.__version__}. */")
for kind, seed, n, least in [(TIES, 41, 1000, 16), (MEMORY, 42, 3000, 4), (MEMORY, 43, 517, 2)]:
    x = counts(kind, seed, n)
    roots, depth = cut(n, least)
    whole, x = x, x[: roots << depth]
    # The rate of the whole log, by what is left beside one job in each busy interval.
    factor = (whole.mean() - np.mean(x > 0)) / (x.mean() - np.mean(x > 0))
    c, d, both = haar(x / 900, roots, depth)
    rest = haar((x - (x > 0)) / 900, roots, depth)
    # Where a half is busy is told by the jobs, not by what is left of them.
    row = [NAMES[kind], str(seed), str(n), str(least), str(roots), str(depth)]
    row += [number(c[0].mean()), number(c[0].std(ddof=1)), padded(printed_betas(c, d))]
    row += [padded(printed_shares(x, depth))]
    row += [number(factor * rest[0][0].mean()), number(factor * rest[0][0].std(ddof=1))]
    row += [padded(improved_betas(rest[0], rest[1], both)), padded(improved_shares(x, depth))]
    print("{" + ", ".join(row) + "},")
