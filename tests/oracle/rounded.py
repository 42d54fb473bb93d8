#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Maxima of the likelihood of whole numbers that stand for intervals, by SciPy: rounded.py >rounded.inc"""
import numpy as np
from scipy import optimize, stats

VALUES = np.array([0, 1, 2, 3, 4, 5, 7, 10, 20, 40])
COUNTS = np.array([120, 210, 150, 100, 70, 50, 60, 40, 20, 5])
LOW, HIGH = np.maximum(VALUES - 0.5, 0), VALUES + 0.5

LAWS = {
    "exponential": (lambda p: stats.expon(scale=p[0]), [4.0]),
    "weibull": (lambda p: stats.weibull_min(p[0], scale=p[1]), [1.0, 4.0]),
    "gamma": (lambda p: stats.gamma(p[0], scale=p[1]), [1.0, 4.0]),
    "lognormal": (lambda p: stats.lognorm(p[1], scale=np.exp(p[0])), [1.0, 1.0]),
}


def loss(theta, law, positive):
    params = [np.exp(t) if plus else t for t, plus in zip(theta, positive)]
    dist = law(params)
    p = dist.cdf(HIGH) - dist.cdf(LOW)
    return -np.sum(COUNTS * np.log(np.maximum(p, 1e-300)))


for name, (law, start) in LAWS.items():
    positive = [not (name == "lognormal" and i == 0) for i in range(len(start))]
    theta = [np.log(s) if plus else s for s, plus in zip(start, positive)]
    best = optimize.minimize(loss, theta, args=(law, positive), method="Nelder-Mead",
                             options={"xatol": 1e-10, "fatol": 1e-10, "maxiter": 20000})
    params = [np.exp(t) if plus else t for t, plus in zip(best.x, positive)]
    params += [0.0] * (2 - len(params))
    print('{"%s", {%.9g, %.9g}, %.9g},' % (name, params[0], params[1], -best.fun))
