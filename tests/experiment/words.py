#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""words.py WORKLOOM SAMPLE_LOG: an option of `simulate` gives the same run in a plan. Speaks TAP.

Each case is a set of options that both commands have, on a log; the main metrics of the run must be equal, with the
seed of the cell where jobs are drawn at random. A plan of all cases at once must give the first replications again: no
cell gets the jobs of another.
"""

import csv
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

workloom, sample_log = (os.path.realpath(argument) for argument in sys.argv[1:3])
scratch = tempfile.mkdtemp(prefix="workloom-words.")
os.chdir(scratch)
KEYS = ["jobs", "measured", "wait_mean_s", "wait_p90_s", "bounded_slowdown_mean", "utilization", "queue_max"]
CASES = [
    {},
    {"scheduler": "conservative"},
    {"scheduler": "easy:order=sjf"},
    {"procs": "200"},
    {"max-procs": "256"},
    {"estimates": "exact"},
    {"estimates": "f:3"},
    {"window": "complete"},
    {"first": "2000"},
    {"users": "1-9"},
    {"users": "!1-9"},
    {"queues": "1"},
    {"job-procs": "2:"},
    {"from-time": "2003-01-20"},
    {"to-time": "2003-01-20"},
    {"overrun": "kill"},
    {"compat": "pyss"},
    {"predictor": "recent2"},
    {"predictor": "recent2", "correction": "double"},
    {"predict-waits": None},
    {"downtime": "3d:5d"},
    {"user-jobs": "3"},
    {"user-procs": "64"},
    {"own-procs": "queue"},
    {"load": "0.8"},
    {"load": "0.8", "load-by": "runtimes"},
    {"load": "0.8", "load-by": "size"},
    {"warm-up": "1000"},
    {"cool-down": "5d"},
    {"measure-users": "2-4"},
    {"select": "completed"},
    {"feedback": "fluid"},
    {"resample": None, "load": "0.8"},
    {"resample": None, "load": "0.8", "load-by": "runtimes", "weeks": "6", "load-factor": "1.5"},
    {"resample": None, "load": "0.8", "load-by": "size", "scheduler": "fcfs"},
    {"resample": None, "load": "0.8", "feedback": "fluid", "weeks": "6"},
    {"model": "minh2012", "scheduler": ["easy", "fcfs"], "replications": 2},
    {"model": "uniform:arrivals=poisson", "load": "0.7", "load-by": "size", "estimates": "f:2", "procs": "400"},
    {"model": "uniform", "load": "0.7", "predictor": "recent2", "queues": "1"},
    {"model": "minh2012", "load": "0.7", "scheduler": ["easy", "fcfs"], "first": "2000", "replications": 2},
]
failures = 0


def run(*words):
    done = subprocess.run([workloom, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"Bail out! {words}: {done.stderr}")
    return done.stdout


def options(case):
    words = []
    for key, value in case.items():
        for item in value if isinstance(value, list) else [value]:
            words += [f"--{key}"] if item is None else [f"--{key}", str(item)]
    return words


def in_simulate(case):
    """The same, in the words of simulate."""
    return {("users" if key == "resample" else key): ("resampled" if key == "resample" else value)
            for key, value in case.items()}


def rows(db):
    lines = run("experiment", "report", db, "--csv", "-").splitlines()
    return [[row[key] for key in KEYS] for row in csv.DictReader(lines)]


def block(case):
    items = [f"{key}: {'true' if value is None else repr(value)}" for key, value in case.items()
             if key != "replications"]
    return "  - {" + ", ".join(items or ["scheduler: easy"]) + "}\n"


def main():
    global failures
    subprocess.run([sample_log, "all.swf"], stdout=subprocess.DEVNULL, check=True)
    run("clean", "all.swf", "log.swf", "-q")
    together = []
    print(f"1..{len(CASES) + 1}")
    for number, case in enumerate(CASES, 1):
        chosen = {"select": "ran"} | case
        n = case.get("replications", 1)
        db = f"{number}.db"
        run("experiment", "run", "--trace", "log.swf", *options({"replications": n} | chosen), "--db", db, "-q")
        got = rows(db)
        with sqlite3.connect(db) as connection:
            seed = connection.execute("SELECT seed FROM cells").fetchone()[0]
        drawn = ["--seed", str(seed)] if {"feedback", "resample", "model"} & case.keys() else []
        run("simulate", "log.swf", *options(in_simulate(chosen)), *drawn, "--csv", "one.csv", "-q")
        with open("one.csv", encoding="utf-8") as file:
            expected = [[row[key] for key in KEYS] for row in csv.DictReader(file)]
        ok = got == expected
        failures += not ok
        print(f"{'ok' if ok else 'not ok'} {number} - {json.dumps(case)}")
        if not ok:
            print(f"# simulate {expected}\n# experiment {got}")
        together += got[::n]
    with open("all.yaml", "w", encoding="utf-8") as file:
        file.write("trace: log.swf\nreplications: 1\ncells:\n")
        file.writelines(block({"select": "ran"} | case) for case in CASES)
    run("experiment", "run", "all.yaml", "--db", "all.db", "-q")
    ok = rows("all.db") == together
    failures += not ok
    print(f"{'ok' if ok else 'not ok'} {len(CASES) + 1} - all in one plan")


try:
    main()
finally:
    shutil.rmtree(scratch, ignore_errors=True)
sys.exit(failures > 0)
