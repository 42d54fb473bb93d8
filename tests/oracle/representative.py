#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One hyper-gamma for the four logs of Lublin and Feitelson's tables 2 and 3: values of
tests/unit/test_representative.c, by a program of its own."""
import itertools
import math

TABLES = {
    "table 2": [(2.35, 1.50, 1533, .007, .94), (4.15, .96, 569.7, .018, .70),
                (5.76, .82, 159.5, .05, .61), (6.00, .66, 68.5, .13, .55)],
    "table 3": [(3.66, 1.32, 13.4, .87, .88), (5.12, 1.09, 120.0, .10, .71),
                (118.4, .06, 42.2, .28, .30), (5.16, 1.10, 30.6, .34, .59)],
}
POINTS, END = 4000, 25.0
XS = [(i + .5) * END / POINTS for i in range(POINTS)]


def gamma(x, a, b):
    return math.exp((a - 1) * math.log(x) - x / b - math.lgamma(a) - a * math.log(b))


def density(fit):
    a1, b1, a2, b2, p = fit
    return [p * gamma(x, a1, b1) + (1 - p) * gamma(x, a2, b2) for x in XS]


def spots(f):
    peaks = [i for i in range(1, POINTS - 1) if f[i - 1] < f[i] >= f[i + 1]]
    if f[0] > f[1]:
        peaks.insert(0, 0)
    if len(peaks) != 2:
        return None
    low, high = peaks
    return [XS[low], XS[min(range(low, high), key=lambda i: f[i])], XS[high]]


for name, fits in TABLES.items():
    n = len(fits)
    average = [math.prod(f[j] for f in fits) ** (1 / n) for j in range(4)]
    average.append(sum(f[4] for f in fits) / n)
    densities = [density(f) for f in fits]
    known = [s for s in map(spots, densities) if s]
    middle = [sum(f[i] for f in densities) / n for i in range(POINTS)]
    values = []
    for j in range(5):
        low, high = min(f[j] for f in fits), max(f[j] for f in fits)
        values.append([low + (high - low) * q / 4 if j == 4 else low * (high / low) ** (q / 4)
                       for q in (1, 2, 3)])
    kept = []
    for one in itertools.product(*values):
        f = density(one)
        at = spots(f)
        if at and all(min(s[k] for s in known) <= at[k] <= max(s[k] for s in known)
                      for k in range(3)):
            kept.append((sum(abs(a - b) for a, b in zip(f, middle)) * END / POINTS, one))
    kept.sort()
    print(name, "average", ["%.6g" % v for v in average], "kept", len(kept))
    for distance, one in kept[:3]:
        print("  search %.4f" % distance, ["%.6g" % v for v in one])
