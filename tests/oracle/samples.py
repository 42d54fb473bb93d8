# SPDX-License-Identifier: GPL-3.0-or-later
"""The samples of tests/unit/samples.h, to the last bit, and how tables of numbers are written."""
import math

import numpy as np

UNIFORM, HEAVY, TIES, SIGNED, MEMORY = range(5)
NAMES = ["SAMPLE_UNIFORM", "SAMPLE_HEAVY", "SAMPLE_TIES", "SAMPLE_SIGNED", "SAMPLE_MEMORY"]
MASK = 2**64 - 1


def uniforms(seed):
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        yield ((z ^ z >> 31) >> 11) / 9007199254740992.0


def sample(kind, seed, n):
    values = []
    before = 0.0
    for u, _ in zip(uniforms(seed), range(n)):
        if kind == UNIFORM:
            x = u
        elif kind == HEAVY:
            x = 1 / (1 - u)
        elif kind == TIES:
            x = float(math.floor(10 * u * u))
        elif kind == SIGNED:
            x = (u - 0.25) * 4096
        else:
            x = before * 0.9 + u
        values.append(x)
        before = x
    return np.array(values)


def number(x):
    return float(x).hex() if math.isfinite(x) else "NAN"


def braces(values):
    return "{" + ", ".join(number(x) for x in values) + "}"
