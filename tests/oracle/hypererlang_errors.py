#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Standard errors of a hyper-Erlang distribution matched to three moments, for test_jann97.c: order 3, even
weights, scales 100 and 170, samples of 9000, 400 times. The match is written from its equations."""
import numpy as np

rng = np.random.default_rng(1)
n, found = 3, []
for _ in range(400):
    scale = np.where(rng.random(9000) < 0.5, 100.0, 170.0)
    x = rng.gamma(n, scale)
    t1 = np.mean(x) / n
    t2 = np.mean(x**2) / (n * (n + 1))
    t3 = np.mean(x**3) / (n * (n + 1) * (n + 2))
    b = (t3 - t1 * t2) / (t2 - t1**2)
    c = (t1 * t3 - t2**2) / (t2 - t1**2)
    low, high = np.sort(np.roots([1, -b, c]))
    found.append(((high - t1) / (high - low), low, high))
print("weight1 %.4f scale1 %.2f scale2 %.2f" % tuple(np.std(found, axis=0)))
