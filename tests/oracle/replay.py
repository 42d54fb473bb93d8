#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""replay.py LOG SCHEDULE [FROM TO]: errors of the waits of a schedule, as 'workloom replay' defines them.

Only jobs submitted from FROM to TO (seconds of the log) are compared. Both are SWF, gzip or plain; SCHEDULE is what 'workloom simulate -o' wrote for LOG. Prints the number
of jobs with both waits, both mean waits, the mean of simulated minus logged wait, the mean of its
absolute value, and Spearman's rank correlation with average ranks of ties, one "key value" a line.
Uses nothing but the Python library.
"""
import gzip
import math
import sys


def waits(path, first=-math.inf, last=math.inf):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", errors="replace") as lines:
        for line in lines:
            fields = line.split()
            if len(fields) >= 18 and not fields[0].startswith(";") and first <= float(fields[1]) <= last:
                yield int(fields[0]), round(float(fields[2]))


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    out = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for k in order[at:end]:
            out[k] = (at + 1 + end) / 2
        at = end
    return out


def correlation(x, y):
    mx, my = math.fsum(x) / len(x), math.fsum(y) / len(y)
    xy = math.fsum((a - mx) * (b - my) for a, b in zip(x, y))
    xx = math.fsum((a - mx) ** 2 for a in x)
    yy = math.fsum((b - my) ** 2 for b in y)
    return xy / math.sqrt(xx * yy) if xx > 0 and yy > 0 else math.nan


def main():
    log, schedule = dict(waits(sys.argv[1], *map(float, sys.argv[3:]))), dict(waits(sys.argv[2]))
    pairs = [(wait, schedule[job]) for job, wait in log.items()
             if wait >= 0 and schedule.get(job, -1) >= 0]
    logged, simulated = [p[0] for p in pairs], [p[1] for p in pairs]
    n = len(pairs)
    print("jobs", n)
    print("wait_mean_log_s", repr(sum(logged) / n))
    print("wait_mean_simulated_s", repr(sum(simulated) / n))
    print("bias_s", repr((sum(simulated) - sum(logged)) / n))
    print("abs_error_mean_s", repr(sum(abs(s - w) for w, s in pairs) / n))
    print("rank_correlation", repr(correlation(ranks(logged), ranks(simulated))))


main()
