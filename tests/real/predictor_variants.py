#!/usr/bin/env python3
"""Compare two predictors in the simulator over resampled variants of logs, paired.

usage: predictor_variants.py [-n VARIANTS] [--first REPLICATION] [-f] LOG...
WORKLOOM names the binary (default build/workloom). Each variant of a log is made by
`workloom resample --fresh-names` (without: -f) and simulated under easy-sjbf with both predictors.
Prints a row for each variant, and for each log the mean difference in mean bounded slowdown with
its 95 % interval: Student's t of the differences, and a bootstrap of their mean. docs/validation/predict.md
has the table that this made.
"""
import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

WORKLOOM = os.environ.get("WORKLOOM", "build/workloom")
BASE, OTHER = "recent2", "online"


def run(*words):
    done = subprocess.run([WORKLOOM, *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def slowdown(path, predictor):
    out = run("simulate", path, "-s", "easy-sjbf", "--predictor", predictor, "--correction", "requested", "--threads", "1", "--json", "-q")
    found = json.loads(out)
    return found["bounded_slowdown_mean"], found["prediction"]["mae_s"]


def t_quantile(p, df):
    """Invert the distribution function of Student's t, integrated by Simpson's rule."""
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)

    def cdf(x, n=2000):
        h = x / n
        f = [(1 + (i * h) ** 2 / df) ** (-(df + 1) / 2) for i in range(n + 1)]
        return 0.5 + scale * h / 3 * (f[0] + f[-1] + 4 * sum(f[1:-1:2]) + 2 * sum(f[2:-1:2]))
    low, high = 0.0, 1000.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if cdf(middle) < p else (low, middle)
    return low


def bootstrap(values, n=10000):
    draw = random.Random(1)
    means = sorted(statistics.fmean(draw.choices(values, k=len(values))) for _ in range(n))
    return means[int(0.025 * n)], means[int(0.975 * n)]


def study(log, first, n, fresh, folder):
    pairs, errors = [], []
    for i in range(first, first + n):
        path = os.path.join(folder, "variant.swf")
        run("resample", log, "--replication", str(i), "-o", path, "-q", *(["--fresh-names"] if fresh else []))
        base, other = slowdown(path, BASE), slowdown(path, OTHER)
        pairs.append((base[0], other[0]))
        errors.append(other[1] / base[1])
        print(f"{os.path.basename(log)},{i},{base[0]:.4f},{other[0]:.4f},{base[1]:.1f},{other[1]:.1f}", flush=True)
    differences = [b - a for a, b in pairs]
    half = t_quantile(0.975, n - 1) * statistics.stdev(differences) / math.sqrt(n)
    low, high = bootstrap(differences)
    return (f"{os.path.basename(log)}: {BASE} {statistics.fmean(a for a, _ in pairs):.2f}, {OTHER} {statistics.fmean(b for _, b in pairs):.2f}, "
            f"difference {statistics.fmean(differences):+.2f} +- {half:.2f} (bootstrap {low:+.2f} to {high:+.2f}), "
            f"lower in {sum(d < 0 for d in differences)} of {n}; MAE x {statistics.fmean(errors):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=30, help="variants of each log")
    parser.add_argument("--first", type=int, default=0, help="replication of the first variant")
    parser.add_argument("-f", action="store_true", help="keep groups and executables as they are")
    parser.add_argument("logs", nargs="+")
    args = parser.parse_args()
    print(f"log,replication,{BASE},{OTHER},{BASE}_mae_s,{OTHER}_mae_s")
    with tempfile.TemporaryDirectory() as folder:
        for row in [study(log, args.first, args.n, not args.f, folder) for log in args.logs]:
            print(row)


main()
