#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints what tests of the Lublin-Feitelson model compare with, made by the formulas of the paper and its published
program with NumPy and SciPy alone.

    python3 lublin.py samples > lublin.inc        # for test_lublin.c
    python3 lublin.py days > lublin_days.inc      # for test_gamma_daily.c

Samples are distributions of four million jobs: values, and the share of the jobs that have at most that value. Days are
computed, not drawn: weights and shapes of slots, and means of gaps.
"""
import sys

import numpy as np
import scipy
from scipy import integrate, stats

JOBS = 4_000_000
POINTS = 200
SLOTS, SLOT_S, FIRST_SLOT = 48, 1800, 11

# Serial and power-of-two probability (of all jobs), low, medium, high, their probability; runtime gammas and p; peak
# interarrival gamma, daily cycle gamma, ARAR.
PUBLISHED = {
    "combined": ((0.244, 0.576), (0.8, 4.5, 7, 0.86), (4.2, 0.94, 312, 0.03, -0.0054, 0.78),
                 (10.2303, 0.4871), (8.1737, 3.9631), 1.0225),
    "batch": ((0.2927, 0.6686), (1.2, 5, 7, 0.875), (6.57, 0.823, 639.1, 0.0156, -0.003, 0.6986),
              (6.0415, 0.8531), (6.1271, 5.2740), 1.0519),
    "interactive": ((0.1541, 0.625), (1, 3, 5.5, 0.705), (3.8351, 0.6605, 7.073, 0.6856, -0.0118, 0.9156),
                    (6.5510, 0.6621), (8.9186, 3.6680), 0.9797),
}


def sizes(rng, shares, uniform):
    serial, power = shares
    low, medium, high, probability = uniform
    u = rng.random(JOBS)
    first = rng.random(JOBS) < probability
    logs = np.where(first, rng.uniform(low, medium, JOBS), rng.uniform(medium, high, JOBS))
    logs = np.where(u <= serial + power, np.floor(logs + 0.5), logs)
    return np.where(u <= serial, 1, np.floor(2.0 ** logs + 0.5))


def runtimes(rng, size, gammas):
    a1, b1, a2, b2, slope, intercept = gammas
    p = np.clip(slope * size + intercept, 0, 1)
    out = np.full(len(size), np.inf)
    while (over := np.flatnonzero(out > 12)).size:
        first = rng.random(over.size) <= p[over]
        out[over] = np.where(first, stats.gamma.rvs(a1, scale=b1, size=over.size, random_state=rng),
                             stats.gamma.rvs(a2, scale=b2, size=over.size, random_state=rng))
    return np.rint(np.exp(out))


def slot_weights(cycle):
    edges = np.arange(FIRST_SLOT, FIRST_SLOT + SLOTS + 1) - 0.5
    weights = np.empty(SLOTS)
    weights[(np.arange(FIRST_SLOT, FIRST_SLOT + SLOTS) - 1) % SLOTS] = np.diff(stats.gamma.cdf(edges, cycle[0], scale=cycle[1]))
    return weights / weights.mean()


def virtual_times(rng, peak, arar):
    logs = np.full(JOBS, np.inf)
    while (over := np.flatnonzero(logs > 13)).size:
        logs[over] = stats.gamma.rvs(peak[0] * arar, scale=peak[1], size=over.size, random_state=rng)
    return np.cumsum(np.exp(logs).astype(np.longdouble))


def submits(virtual, weights):
    """Virtual seconds laid out on the virtual days, slot by slot."""
    day_s = SLOTS * SLOT_S
    ends = np.concatenate([[0], np.cumsum(weights * SLOT_S)])
    days = np.floor(virtual / ends[-1])
    within = np.interp((virtual - days * ends[-1]).astype(float), ends, np.arange(SLOTS + 1) * SLOT_S)
    return np.floor(days.astype(float) * day_s + within)


def shapes_by_jumps(weights, shape, scale):
    """The expected time slots method of section 7.3, as docs/methods/models-lublin.md reads it."""
    shapes, jumps = np.full(SLOTS, shape), np.arange(SLOTS)
    for _ in range(1000):
        expected = np.empty(SLOTS)
        for t in range(SLOTS):
            below = stats.gamma.cdf(np.minimum(np.log((jumps + 1) * SLOT_S), 13), shapes[t], scale=scale)
            chances = weights[(t + jumps) % SLOTS] * np.diff(below, prepend=0)
            expected[t] = np.sum(chances * (jumps + 0.5)) / np.sum(chances)
        gaps = np.sum(weights * np.exp(shapes * scale)) / np.sum(weights * expected)
        moved = shapes - np.log(expected * gaps) / scale
        shapes = shapes - moved
        if np.max(np.abs(moved)) < 1e-9:
            return shapes
    raise ArithmeticError("the expected time slots method does not converge")


def mean_gap(shape, scale, limit):
    gap = lambda x: np.exp(x) * stats.gamma.pdf(x, shape, scale=scale)
    area, _ = integrate.quad(gap, 0, limit, points=[1e-3, 0.1, 1, limit / 2], limit=500, epsabs=0, epsrel=1e-12)
    return area / stats.gamma.cdf(limit, shape, scale=scale)


def show(name, values):
    values = np.sort(values)
    at = np.unique(values[np.linspace(0, len(values) - 1, POINTS).astype(int)])
    shares = np.searchsorted(values, at, side="right") / len(values)
    print(f"static const struct point {name}[] = {{")
    for value, share in zip(at, shares):
        print(f"    {{{value:.0f}, {share:.6f}}},")
    print("};")


def samples():
    for seed, (name, (shares, uniform, gammas, peak, cycle, arar)) in enumerate(PUBLISHED.items()):
        rng = np.random.default_rng(1000 + seed)
        size = sizes(rng, shares, uniform)
        run = runtimes(rng, size, gammas)
        show(f"{name}_sizes", size)
        show(f"{name}_runtimes", run)
        show(f"{name}_large_runtimes", run[size >= 16])
        virtual = virtual_times(rng, peak, arar)
        show(f"{name}_gaps", np.diff(submits(virtual, slot_weights(cycle))))
        show(f"{name}_flat_gaps", np.diff(np.floor(virtual)))


def days():
    for name, (_, _, _, _, cycle, _) in PUBLISHED.items():
        print(f"static const double {name}_weights[] = {{")
        for weight in slot_weights(cycle):
            print(f"    {weight:.12f},")
        print("};")
    _, _, _, peak, cycle, arar = PUBLISHED["combined"]
    print("/* By slot: shapes of the expected time slots method. */")
    print("static const double combined_jump_shapes[] = {")
    for shape in shapes_by_jumps(slot_weights(cycle), peak[0] * arar, peak[1]):
        print(f"    {shape:.9f},")
    print("};")
    print("/* Shape, scale, limit, mean of exp(x). */")
    print("static const double mean_gaps[][4] = {")
    for given in (10.46, 0.4871, 13), (6.355, 0.8531, 13), (2, 1, 12), (3.3, 1.4, 12.5), (0.4, 2.5, 9), (0.7, 0.3, 11):
        print(f"    {{{', '.join(f'{x:g}' for x in given)}, {mean_gap(*given):.12g}}},")
    print("};")


if __name__ == "__main__":
    print("/* SPDX-License-Identifier: GPL-3.0-or-later */")
    print(f"/* Made by tests/oracle/lublin.py with NumPy {np.__version__}, SciPy {scipy.__version__}. */")
    {"samples": samples, "days": days}[sys.argv[1]]()
