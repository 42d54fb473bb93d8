#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hyper-gamma run times of 240 made-up jobs by SciPy, for test_lublin_fits.c: writes lublin_runtimes.inc.

The likelihood of bins of jobs, cut off below 1.5 s and above the longest, for the two gammas; then that of all jobs
for the line of p over sizes, with the gammas as they are.
"""
import math
import os

import numpy as np
from scipy import optimize, stats

MOST_BINS = 128


def jobs():
    """Equal places of two gammas, and many jobs of a minute; the longer ones are larger."""
    rows = []
    for i in range(100):
        rows.append((round(math.exp(stats.gamma.ppf((i + 0.5) / 100, 9, scale=0.5))), (1, 1, 2, 1, 4, 8)[i % 6]))
        rows.append((round(math.exp(stats.gamma.ppf((i + 0.5) / 100, 80, scale=0.12))), (1, 2, 4, 8, 16, 32)[i * 5 % 6]))
        if i % 5 < 2:
            rows.append((60, (1, 2, 1, 8)[i % 4]))
    return sorted((max(run, 2), procs) for run, procs in rows)


def logarithms(rows):
    """Equal run times are spread over their second, by steps of the golden section."""
    golden, x, first = 0.6180339887498949, [], 0
    for k, (run, _) in enumerate(rows):
        if run != rows[first][0]:
            first = k
        x.append(math.log(run + (0.5 + golden * (k - first)) % 1 - 0.5))
    return np.array(x)


def bins(rows):
    """Each ends with the last job of a run time that makes it as large as its share of all jobs."""
    n, edges, counts, taken = len(rows), [math.log(1.5)], [], 0
    for i in range(n):
        last = i + 1 == n or rows[i + 1][0] != rows[i][0]
        if last and i + 1 >= (len(counts) + 1) * n // MOST_BINS:
            counts.append(i + 1 - taken)
            edges.append(math.log(rows[i][0] + 0.5))
            taken = i + 1
    return np.array(edges), np.array(counts)


def descend(cost, start):
    at, options = start, {"xatol": 1e-10, "fatol": 1e-12, "maxiter": 40000, "maxfev": 40000}
    for _ in range(6):
        at = optimize.minimize(cost, at, method="Nelder-Mead", options=options).x
    return at


def fit_gammas(rows):
    edges, counts = bins(rows)

    def cost(at):
        p = 1 / (1 + math.exp(-at[4]))
        cdf = p * stats.gamma.cdf(edges, math.exp(at[0]), scale=math.exp(at[1] - at[0])) + (1 - p) * stats.gamma.cdf(
            edges, math.exp(at[2]), scale=math.exp(at[3] - at[2]))
        return -np.sum(counts * np.log(np.diff(cdf) / (cdf[-1] - cdf[0])))

    at = descend(cost, [math.log(9), math.log(4.5), math.log(80), math.log(9.6), 0])
    return [math.exp(at[0]), math.exp(at[2])], [math.exp(at[1] - at[0]), math.exp(at[3] - at[2])]


def fit_line(rows, shape, scale):
    x, size = logarithms(rows), np.array([procs for _, procs in rows])
    limit = math.log(rows[-1][0])
    density = [stats.gamma.pdf(x, shape[i], scale=scale[i]) for i in range(2)]
    left = [stats.gamma.cdf(limit, shape[i], scale=scale[i]) - stats.gamma.cdf(math.log(1.5), shape[i], scale=scale[i])
            for i in range(2)]

    def cost(at):
        p = np.clip(at[0] * size + at[1], 0, 1)
        return -np.sum(np.log((p * density[0] + (1 - p) * density[1]) / (p * left[0] + (1 - p) * left[1])))

    return descend(cost, [-0.02, 0.7])


rows = jobs()
shape, scale = fit_gammas(rows)
slope, intercept = fit_line(rows, shape, scale)
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lublin_runtimes.inc"), "w") as out:
    out.write("/* Written by lublin_runtimes.py: jobs, and what SciPy fits to them. */\n")
    out.write("static const struct {\n    int64_t run_s;\n    int32_t procs;\n} runtime_jobs[] = {\n")
    for at in range(0, len(rows), 8):
        out.write("    " + " ".join(f"{{{run}, {procs}}}," for run, procs in rows[at:at + 8]) + "\n")
    out.write("};\n")
    out.write(f"static const double likely_shapes[] = {{{shape[0]:.9g}, {shape[1]:.9g}}};\n")
    out.write(f"static const double likely_scales[] = {{{scale[0]:.9g}, {scale[1]:.9g}}};\n")
    out.write(f"static const double likely_slope = {slope:.9g}, likely_intercept = {intercept:.9g};\n")
