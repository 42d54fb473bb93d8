#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The trend of outstanding jobs, its Newey-West error and its interval, for tests/unit/test_sim_metrics.c.

numpy and scipy, by matrices: b = (X'X)^-1 X'y, V = n/(n-2) (X'X)^-1 S (X'X)^-1 with Bartlett weights and
Andrews' bandwidth by the autocorrelation of the slope's scores."""
import numpy as np
from scipy import stats

WEEKS = [3, 5, 4, 8, 6, 7, 9, 9, 12, 10, 11, 15, 13, 14, 16, 17, 15, 18, 7, 9]


def lasting(counts):
    return np.array([min(counts[w:]) for w in range(len(counts))], float)


def fit(counts):
    kept = int(np.floor(0.8 * len(counts) + 1e-9))
    y = lasting(counts)[:kept]
    x = np.arange(kept, dtype=float)
    x -= x.mean()
    design = np.column_stack([np.ones(kept), x])
    bread = np.linalg.inv(design.T @ design)
    b = bread @ design.T @ y
    return b[1], design, bread, y - design @ b, kept


def error(design, bread, residuals, kept):
    scores = design * residuals[:, None]
    z = scores[:, 1]
    rho = np.clip(np.dot(z[1:], z[:-1]) / np.dot(z, z), -0.97, 0.97)
    alpha = 4 * rho**2 / ((1 - rho) ** 2 * (1 + rho) ** 2)
    width = 1.1447 * np.cbrt(alpha * kept) + 1
    meat = scores.T @ scores
    for lag in range(1, kept):
        if lag < width:
            gamma = scores[lag:].T @ scores[:-lag]
            meat += (1 - lag / width) * (gamma + gamma.T)
    return np.sqrt((kept / (kept - 2) * bread @ meat @ bread)[1, 1])


slope, design, bread, residuals, kept = fit(WEEKS)
se = error(design, bread, residuals, kept)
t = stats.t.ppf(0.975, kept - 2)
ends = sorted(fit(WEEKS[: len(WEEKS) - back])[0] for back in range(len(WEEKS) // 3))
cut = len(ends) // 20
print("slope %.15g\nerror %.15g\nlow %.15g\nhigh %.15g" % (
    slope, se, min(slope - t * se, ends[cut]), max(slope + t * se, ends[-1 - cut])))
