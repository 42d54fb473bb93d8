#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hurst parameters written out from their definitions with NumPy and SciPy, for
tests/unit/test_hurst.c:   python3 hurst.py > hurst.inc"""
import math

import numpy as np
import scipy
from samples import HEAVY, MEMORY, NAMES, TIES, UNIFORM, number, sample
from scipy import optimize, signal, special


def slope(x, y):
    return np.polyfit(x, y, 1)[0]


def sizes(low, high, factor):
    found = []
    at = low
    while at <= high:
        found.append(math.floor(at + 0.5))
        at *= factor
    return sorted(set(found))


def aggvar(x):
    ms = sizes(10**0.7, min(10**2.5, len(x) / 10), 10**0.05)
    v = [x[: len(x) // m * m].reshape(-1, m).mean(axis=1).var(ddof=1) for m in ms]
    return 1 + slope(np.log10(ms), np.log10(v)) / 2


def rescaled(block):
    if block.min() == block.max():
        return 0
    walk = np.cumsum(block - block.mean())
    return (walk.max() - walk.min()) / block.std()


def rs(x):
    points = []
    for m in sizes(10, max(len(x) / 10, 16), 10**0.1):
        q = [rescaled(x[i : i + m]) for i in range(0, len(x) - m + 1, m)]
        q = [v for v in q if v > 0]
        points.append((math.log10(m), math.log10(np.mean(q))))
    return slope(*zip(*points))


def pox(x):
    points = []
    for m in sizes(10, len(x), 1.2):
        for start in sorted({int((len(x) - m) * b / 9) for b in range(10)}):
            q = rescaled(x[start : start + m])
            if q > 0:
                points.append((math.log10(m), math.log10(q)))
    return slope(*zip(*points))


def smooth(n):
    def left(n):
        for p in (2, 3, 5, 7):
            while n % p == 0:
                n //= p
        return n
    while left(n) > 1:
        n -= 1
    return n


def spectrum(x):
    x = x[: smooth(len(x))]
    n = len(x)
    power = abs(np.fft.rfft(x - x.mean())) ** 2 / (2 * np.pi * n)
    return 2 * np.pi * np.arange(1, n // 2 + 1) / n, power[1 : n // 2 + 1], n


def periodogram(x):
    f, power, n = spectrum(x)
    m = n // 2 // 10
    return (1 - slope(np.log10(f[:m]), np.log10(power[:m]))) / 2


def whittle(x):
    f, power, n = spectrum(x)
    m = int(n**0.65)
    f, power = f[:m], power[:m]

    def contrast(h):
        return math.log(np.mean(f ** (2 * h - 1) * power)) - (2 * h - 1) * np.mean(np.log(f))

    h = optimize.minimize_scalar(contrast, bounds=(0.001, 1.499), method="bounded",
                                 options={"xatol": 1e-12}).x
    return h, h - 1.959964 / 2 / math.sqrt(m)


def daubechies(moments):
    """The scaling filter from its definition: the minimum-phase root of a half-band polynomial."""
    p = [math.comb(moments - 1 + k, k) for k in range(moments)]
    # sum p_k y^k with y = (2 - z - 1/z) / 4, times z^(moments - 1), as a polynomial in z
    total = np.zeros(2 * moments - 1)
    for k, c in enumerate(p):
        term = np.array([1.0])
        for _ in range(k):
            term = np.convolve(term, [-0.25, 0.5, -0.25])
        pad = (2 * moments - 1 - len(term)) // 2
        total += c * np.pad(term, pad)
    inside = [r for r in np.roots(total) if abs(r) < 1]
    h = np.poly(inside).real
    for _ in range(moments):
        h = np.convolve(h, [1, 1])
    return h * math.sqrt(2) / h.sum()


def wavelet(x):
    h = daubechies(3)
    g = h[::-1] * np.array([1, -1] * 3)
    approximation = x - x.mean()
    js, ys, vs = [], [], []
    octave = 0
    while len(approximation) >= 6 + 14:
        octave += 1
        detail = signal.correlate(approximation, g, "valid")[::2]
        approximation = signal.correlate(approximation, h, "valid")[::2]
        n = len(detail)
        if octave >= max(3, math.floor(math.log2(len(x)) / 3)):
            js.append(octave)
            ys.append(math.log2(np.mean(detail**2))
                      - (special.psi(n / 2) / math.log(2) - math.log2(n / 2)))
            vs.append(special.zeta(2, n / 2) / math.log(2) ** 2)
    js, ys, w = np.array(js), np.array(ys), 1 / np.array(vs)
    design = np.stack([js, np.ones(len(js))], axis=1)
    covariance = np.linalg.inv(design.T @ (design * w[:, None]))
    best = covariance @ (design.T @ (w * ys))
    return (best[0] + 1) / 2, (best[0] + 1) / 2 - 1.959964 * math.sqrt(covariance[0, 0]) / 2


print(f"/* Made by hurst.py with NumPy {np.__version__} and SciPy {scipy.__version__}. */")
for kind, seed, n in [(UNIFORM, 11, 4096), (MEMORY, 12, 5003), (TIES, 13, 10007), (HEAVY, 14, 1000),
                      (MEMORY, 15, 512)]:
    x = sample(kind, seed, n)
    values = [aggvar(x), rs(x), pox(x), periodogram(x), *wavelet(x), *whittle(x)]
    print(f"{{{NAMES[kind]}, {seed}, {n}, {', '.join(number(v) for v in values)}}},")
