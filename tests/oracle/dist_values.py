#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints dist_values.inc for tests/unit/test_dist_values.c: moments, quantiles, log densities, distribution and survival
functions of every distribution by SciPy.

    python3 dist_values.py > dist_values.inc
"""
import sys

import numpy as np
import scipy
from scipy import optimize, special, stats

PS = [1e-6, 1e-3, 0.1, 0.35, 0.5, 0.65, 0.9, 0.999, 1 - 1e-6]


class Mixture:
    def __init__(self, parts):
        self.parts = parts

    def logpdf(self, x):
        return special.logsumexp([np.log(w) + d.logpdf(x) for w, d in self.parts])

    def cdf(self, x):
        return sum(w * d.cdf(x) for w, d in self.parts)

    def sf(self, x):
        return sum(w * d.sf(x) for w, d in self.parts)

    def mean(self):
        return sum(w * d.mean() for w, d in self.parts)

    def var(self):
        return sum(w * (d.var() + d.mean() ** 2) for w, d in self.parts) - self.mean() ** 2

    def ppf(self, p):
        low = min(d.ppf(p) for _, d in self.parts)
        high = max(d.ppf(p) for _, d in self.parts)
        if p <= 0.5:
            f = lambda x: self.cdf(x) - p
        else:
            f = lambda x: (1 - p) - self.sf(x)
        return low if low == high else optimize.brentq(f, low, high, xtol=1e-300, rtol=1e-14)


class Zipf:
    """scipy.stats.zipf has its survival function by subtraction."""

    def __init__(self, alpha):
        self.alpha = alpha

    def logpdf(self, x):
        return -self.alpha * np.log(x) - np.log(special.zeta(self.alpha))

    def sf(self, x):
        return special.zeta(self.alpha, np.floor(x) + 1) / special.zeta(self.alpha)

    def cdf(self, x):
        return 1 - self.sf(x)

    def mean(self):
        return special.zeta(self.alpha - 1) / special.zeta(self.alpha) if self.alpha > 2 else np.inf

    def var(self):
        if self.alpha <= 3:
            return np.inf
        return special.zeta(self.alpha - 2) / special.zeta(self.alpha) - self.mean() ** 2

    def ppf(self, p):
        low, high = 0, 1
        while self.sf(high) > 1 - p:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.sf(middle) > 1 - p else (low, middle)
        return float(high)


def twostage(low, medium, high, p):
    return Mixture([(p, stats.uniform(low, medium - low)),
                    (1 - p, stats.uniform(medium, high - medium))])


def exponentials(*v):
    return Mixture([(v[i], stats.expon(scale=v[i + 1])) for i in range(0, len(v), 2)])


def erlangs(order, *v):
    return Mixture([(v[i], stats.gamma(order, scale=v[i + 1])) for i in range(0, len(v), 2)])


def gammas(*v):
    return Mixture([(v[i], stats.gamma(v[i + 1], scale=v[i + 2])) for i in range(0, len(v), 3)])


def normals(*v):
    return Mixture([(v[i], stats.norm(v[i + 1], v[i + 2])) for i in range(0, len(v), 3)])


CASES = [
    ("exponential", lambda m: stats.expon(scale=m), [(1,), (1213.38,), (1e-3,)]),
    ("gamma", lambda k, b: stats.gamma(k, scale=b),
     [(0.05, 20), (0.31, 3874), (1, 2), (4.2, 0.94), (10.2303, 0.4871), (312, 0.03), (1533, 0.007),
      (6190, 0.001), (1e6, 1e-5)]),
    ("weibull", lambda k, b: stats.weibull_min(k, scale=b), [(0.29, 166.28), (0.47, 475.43), (1, 1),
                                                             (3.6, 10)]),
    ("lognormal", lambda m, s: stats.lognorm(s, scale=np.exp(m)), [(4.91, 3.46), (6, 2), (0, 0.1)]),
    ("normal", lambda m, s: stats.norm(m, s), [(0, 1), (9.36, 0.53), (-1e3, 1e-2)]),
    ("gp", lambda k, b: stats.genpareto(k, scale=b),
     [(1.26, 172.2), (0.2, 3), (1e-9, 100), (0, 100), (-0.3, 100), (-1, 7)]),
    ("pareto", lambda a, m: stats.pareto(a, scale=m), [(1.25, 1), (0.6, 30), (4, 0.5)]),
    ("loguniform", lambda a, b: stats.loguniform(a, b), [(1, 86400), (0.01, 0.5)]),
    ("twostage-uniform", twostage, [(0.8, 4.5, 7, 0.86), (-1, 0, 10, 0.25)]),
    ("beta", lambda a: stats.beta(a, a), [(0.2,), (1,), (2.5,), (60,)]),
    ("zipf", Zipf, [(2.26,), (1.74,), (3.17,), (4.5,)]),
    ("erlang", lambda k, b: stats.gamma(k, scale=b), [(1, 5), (4, 100), (25, 0.2)]),
    ("hyperexponential", exponentials, [(0.7, 10, 0.3, 1000), (0.5, 1, 0.3, 30, 0.2, 900)]),
    ("hypererlang", erlangs, [(2, 0.6, 3, 0.4, 200), (4, 0.9, 10, 0.1, 5000)]),
    ("hypergamma", gammas, [(0.685, 4.2, 0.94, 0.315, 312, 0.03),
                            (0.55, 6, 0.66, 0.45, 68.5, 0.13)]),
    ("normal-mixture", normals, [(0.4, -1, 0.5, 0.6, 6, 2), (0.2, 2, 0.3, 0.5, 5, 1, 0.3, 9, 0.2)]),
]


def number(v):
    if np.isnan(v):  # the variance where the mean is infinite already
        return "INFINITY"
    if np.isinf(v):
        return "INFINITY" if v > 0 else "-INFINITY"
    return float(v).hex()


def main():
    print(f"/* Made by dist_values.py with SciPy {scipy.__version__}. */")
    for name, make, sets in CASES:
        for params in sets:
            dist = make(*params)
            log_density = dist.logpdf
            values = ", ".join(number(v) for v in params)
            print(f'{{"{name}", {len(params)}, {{{values}}}, {number(dist.mean())}, '
                  f"{number(dist.var())}, {{")
            for p in PS:
                x = float(dist.ppf(p))
                if name != "zipf":
                    at = float("%.5g" % x)
                else:
                    at = x
                if not (0 < dist.cdf(at) < 1):
                    at = x
                print(f"    {{{number(p)}, {number(x)}, {number(at)}, {number(log_density(at))}, "
                      f"{number(dist.cdf(at))}, {number(dist.sf(at))}}},")
            print("}},")


if __name__ == "__main__":
    sys.exit(main())
