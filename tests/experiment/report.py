#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""report.py WORKLOOM SAMPLE_LOG: the numbers of a report, computed again by R from the runs. Speaks TAP.

Means, spreads, paired differences, their adjustment for the number of pairs, shares, replications needed and the
probability of being best come from `report --csv`; the numbers of `report --json` must agree, with all
replications and without the saturated ones. Skipped without R.
"""

import csv
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

workloom, sample_log = (os.path.realpath(argument) for argument in sys.argv[1:3])
scratch = tempfile.mkdtemp(prefix="workloom-report.")
os.chdir(scratch)
METRIC = "wait_mean_s"
POLICIES = ["easy", "fcfs", "conservative"]
cases = 0
failures = 0

R = r"""
x <- read.csv("runs.csv")
w <- reshape(x[c("replication", "scheduler", "value")], idvar = "replication", timevar = "scheduler",
             direction = "wide")
say <- function(...) cat(paste(...), "\n")
show <- function(v) format(v, digits = 17)
policies <- sub("value.", "", names(w)[-1], fixed = TRUE)
for (p in policies) {
    v <- w[[paste0("value.", p)]]
    t <- t.test(v)
    q <- quantile(v, c(0.05, 0.5, 0.95), type = 7)
    say("cell", p, show(mean(v)), show(t$conf.int[1]), show(t$conf.int[2]), show(sd(v)), show(q[1]), show(q[2]),
        show(q[3]))
}
pairs <- combn(policies, 2)
ps <- numeric(0)
for (i in seq_len(ncol(pairs))) {
    d <- w[[paste0("value.", pairs[1, i])]] - w[[paste0("value.", pairs[2, i])]]
    ps <- c(ps, t.test(d)$p.value)
}
adjusted <- p.adjust(ps, "holm")
# Holm's method on intervals: those that exclude 0 as one of so many pairs no longer count for the others.
levels <- numeric(length(ps))
number <- length(ps)
repeat {
    hit <- levels == 0 & ps < 0.05 / number
    if (!any(hit)) break
    levels[hit] <- 1 - 0.05 / number
    number <- sum(levels == 0)
}
levels[levels == 0] <- 1 - 0.05 / max(number, 1)
for (i in seq_len(ncol(pairs))) {
    d <- w[[paste0("value.", pairs[1, i])]] - w[[paste0("value.", pairs[2, i])]]
    t <- t.test(d, conf.level = levels[i])
    share <- suppressWarnings(prop.test(sum(d < 0) + sum(d == 0) / 2, length(d), correct = FALSE))
    need <- power.t.test(delta = abs(mean(d)), sd = sd(d), sig.level = 1 - levels[i], power = 0.8,
                         type = "one.sample", strict = TRUE, tol = 1e-10)$n
    say("pair", pairs[1, i], pairs[2, i], show(mean(d)), show(t$conf.int[1]), show(t$conf.int[2]), show(ps[i]),
        show(adjusted[i]), show(share$estimate), show(share$conf.int[1]), show(share$conf.int[2]),
        show(ceiling(need)))
}
"""


def case(name, ok, detail=""):
    global cases, failures
    cases += 1
    failures += not ok
    print(f"{'ok' if ok else 'not ok'} {cases} - {name}")
    if not ok:
        print("# " + str(detail).strip().replace("\n", "\n# "))


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"Bail out! {words}: {done.stderr}")
    return done.stdout


def close(a, b, tolerance=1e-7):
    return a is not None and math.isclose(a, float(b), rel_tol=tolerance, abs_tol=1e-9)


def best_shares(values, rounds=4000):
    """How often each policy has the lowest mean, over draws of the multivariate t distribution of the means."""
    draw = random.Random(5)
    n = len(values[POLICIES[0]])
    means = {policy: sum(values[policy]) / n for policy in POLICIES}
    hits = dict.fromkeys(POLICIES, 0)
    for _ in range(rounds):
        normals = [draw.gauss(0, 1) for _ in range(n)]
        scale = math.sqrt(1 / (n * draw.gammavariate((n - 1) / 2, 2)))
        drawn = {policy: means[policy] + scale * sum(z * (x - means[policy]) for z, x in zip(normals, values[policy]))
                 for policy in POLICIES}
        hits[min(drawn, key=drawn.get)] += 1
    return {policy: hits[policy] / rounds for policy in POLICIES}


def write_runs(rows):
    with open("runs.csv", "w", encoding="utf-8") as file:
        file.write("replication,scheduler,value\n")
        for row in rows:
            file.write(f"{row['replication']},{row['scheduler']},{row[METRIC]}\n")


def check(name, rows, extra):
    """Compare a report with R's numbers for these rows."""
    write_runs(rows)
    report = json.loads(run(workloom, "experiment", "report", "study.db", "--json", "--interval", "t", "--metric",
                            METRIC, *extra))
    cells = {cell["scheduler"]: cell["metrics"][METRIC] for cell in report["cells"]}
    pairs = {(pair["a"], pair["b"]): pair for pair in report["differences"]}
    keys = ["mean", "low", "high", "sd", "p5", "median", "p95"]
    n_pairs = 0
    for line in run("Rscript", "-e", R).splitlines():
        words = line.split()
        if words[0] == "cell":
            got = [cells[words[1]][key] for key in keys]
            case(f"{name}: {words[1]}", all(map(close, got, words[2:])), (got, words[2:]))
            continue
        a, b, mean, low, high, p, adjusted, share, share_low, share_high, need = words[1:]
        n_pairs += 1
        pair = pairs.get((a, b))
        if pair:
            wanted = [mean, low, high, p, adjusted, share, share_low, share_high]
        else:  # the other way around
            pair = pairs[b, a]
            wanted = [str(-float(mean)), str(-float(high)), str(-float(low)), p, adjusted, str(1 - float(share)),
                      str(1 - float(share_high)), str(1 - float(share_low))]
        got = [pair[key] for key in ("mean", "low", "high", "p", "p_adjusted", "a_better_share", "a_better_low",
                                     "a_better_high")]
        case(f"{name}: {a} and {b}", all(close(x, y, 1e-6) for x, y in zip(got, wanted)), (got, wanted))
        case(f"{name}: {a} and {b} are shown to differ or not", pair["shown"] == (float(adjusted) < 0.05))
        needed = pair["replications_needed"]
        case(f"{name}: replications of {a} and {b}", needed == max(int(need), 2), (needed, need))
    case(f"{name}: all pairs", n_pairs == len(pairs) == 3, pairs.keys())
    values = {policy: [float(row[METRIC]) for row in rows if row["scheduler"] == policy] for policy in POLICIES}
    shares = best_shares(values)
    got = {policy: cells[policy]["best_probability"] for policy in POLICIES}
    case(f"{name}: probability of being best", all(abs(got[p] - shares[p]) < 0.04 for p in POLICIES), (got, shares))


def main():
    if not shutil.which("Rscript"):
        print("ok 1 - a report computed again # SKIP there is no Rscript\n1..1")
        return
    run(sample_log, "log.swf")
    words = [word for policy in POLICIES for word in ("-s", policy)]
    run(workloom, "experiment", "run", "--trace", "log.swf", "--resample", "--weeks", "6", "--load", "0.9", "-n", "24",
        *words, "--db", "study.db", "-q")
    rows = list(csv.DictReader(run(workloom, "experiment", "report", "study.db", "--csv", "-").splitlines()))
    check("all replications", rows, [])
    saturated = {row["replication"] for row in rows if float(row["saturated"] or 0) > 0}
    case("some replications are saturated, others not", 0 < len(saturated) < 20, len(saturated))
    check("without saturated ones", [row for row in rows if row["replication"] not in saturated],
          ["--saturated", "drop"])
    print(f"1..{cases}")


try:
    main()
finally:
    shutil.rmtree(scratch, ignore_errors=True)
sys.exit(failures > 0)
