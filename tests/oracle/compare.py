#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances between the distributions of two small traces by SciPy, for tests/unit/test_compare.c:
python3 compare.py > compare.inc. The traces are made by the rule in job() there and here."""
import warnings

import numpy as np
import scipy
from samples import number
from scipy import stats
from scipy.stats._morestats import _anderson_ksamp_midrank

warnings.simplefilter("ignore")
JOBS = {"a": 400, "b": 300}


def jobs(name):
    """Columns of a trace: submit, run, procs, estimate, user."""
    seed = 1 if name == "a" else 2
    submit, rows = 0, []
    for i in range(JOBS[name]):
        mixed = (i * 7919 + seed * 104729) % 10007
        # Of each nine jobs, the second is like the first, and of the first trace the third too.
        like = i % 9 if i % 9 in range(1, 4 - seed) else 0
        kind = ((i - like) * 7919 + seed * 104729) % 10007
        submit += 20 * seed if like else mixed % 97 * (mixed % 13) * 10 * seed
        run = mixed % 1000 * (mixed % 7) + seed
        procs = 1 << (kind % (4 + seed))
        user = i // 9 % (5 + seed) + 1
        rows.append((submit, run, procs, 600 * (1 + kind % (3 * seed)), user))
    return np.array(rows, dtype=float).T


def samples(name):
    submit, run, procs, estimate, user = jobs(name)
    like = lambda i: (user[i] == user[i - 1] and estimate[i] == estimate[i - 1]
                      and procs[i] == procs[i - 1] and submit[i] - submit[i - 1] <= 100)
    bags = [[0]]
    for i in range(1, len(submit)):
        if like(i):
            bags[-1].append(i)
        else:
            bags.append([i])
    users = np.unique(user)
    return {
        "interarrival": np.diff(submit),
        "runtime": run,
        "procs": procs,
        "work": run * procs,
        "estimate": estimate,
        "bag.size": np.array([len(bag) for bag in bags], dtype=float),
        "bag.runtime": np.array([run[bag].mean() for bag in bags if len(bag) > 1]),
        "user.jobs": np.array([(user == u).sum() for u in users], dtype=float),
        "user.work": np.array([(run * procs)[user == u].sum() for u in users]),
        "user.first": np.array([submit[user == u].min() - submit[0] for u in users]),
        "user.last": np.array([submit[user == u].max() - submit[0] for u in users]),
        "user.period": np.array([np.ptp(submit[user == u]) for u in users]),
    }


def anderson(x, y):
    """The statistic of Scholz and Stephens before it is standardised, as SciPy computes it."""
    both = np.sort(np.concatenate([x, y]))
    return _anderson_ksamp_midrank([np.sort(x), np.sort(y)], both, np.unique(both), 2,
                                   np.array([len(x), len(y)]), len(both))


a, b = samples("a"), samples("b")
print(f"/* Made by compare.py with SciPy {scipy.__version__}. DISTANCE(distribution, ks, wasserstein, anderson_darling) */")
for key in a:
    values = [stats.ks_2samp(a[key], b[key]).statistic, stats.wasserstein_distance(a[key], b[key]),
              anderson(a[key], b[key])]
    print(f'DISTANCE("{key}", {", ".join(number(v) for v in values)})')
