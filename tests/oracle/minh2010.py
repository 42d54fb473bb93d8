#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""minh2010.py WORKLOOM TRACES [YEAR]: thesis eq. 8.4 to 8.8 (Minh 2012) without an index, and what the text leaves open.

Every job of the window is compared with the one predicted. On a year of a log each, with the parameters of table 8.3, the
errors of the second half of the completed jobs must equal those of `workloom predict --predictor minh2010` to ten digits;
then each choice is changed alone. The table is in docs/validation/predict.md. Needs numpy; about ten minutes.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

YEARS = [
    ("SDSC-BLUE 2002", "SDSC-BLUE-2000-4.2-cln", "2002-01-01", "2003-01-01",
     "template=user+queue+executable,pivot=19369,n1=5046,k1=10,alpha1=0.956,beta1=0.949,n2=8661,k2=5,alpha2=0.105,beta2=0.941"),
    ("HPC2N 2004", "HPC2N-2002-2.2-cln", "2004-01-01", "2005-01-01",
     "template=group+queue,pivot=32257,n1=6904,k1=8,alpha1=0.997,beta1=0.976,n2=9189,k2=2,alpha2=0.021,beta2=0.986"),
    ("HPC2N 2005", "HPC2N-2002-2.2-cln", "2005-01-01", "2006-02-01",
     "template=user,pivot=122562,n1=4763,k1=9,alpha1=1,beta1=0.989,n2=5610,k2=10,alpha2=0.008,beta2=0.832"),
]

# What is changed; the first of each is the program's choice.
BASE = dict(ranges="known", zeros="alike", deviation="n-1", counts="submitted", ties="recent", procs="requested")
VARIANTS = [dict(BASE)] + [dict(BASE, **{k: v}) for k, v in [
    ("ranges", "log"), ("ranges", "window"), ("zeros", "never"), ("zeros", "always"), ("deviation", "n"),
    ("counts", "ended"), ("ties", "oldest"), ("procs", "allocated")]]

COLUMN = dict(user=11, group=12, executable=13, queue=14)


def read_params(text):
    words = dict(word.split("=") for word in text.split(","))
    return {key: value if key == "template" else float(value) for key, value in words.items()}


def read_log(path):
    with open(path) as file:
        rows = np.array([[float(x) for x in line.split()] for line in file if line.strip() and line[0] != ";"])
    procs = np.where(rows[:, 7] > 0, rows[:, 7], rows[:, 4])
    rows = rows[(rows[:, 1] >= 0) & (rows[:, 3] >= 0) & (procs > 0)]
    return rows[np.argsort(rows[:, 1], kind="stable")]


class Predictor:
    def __init__(self, rows, params, how):
        self.how, self.params = how, params
        self.submit, self.run = rows[:, 1], rows[:, 3]
        first, second = (7, 4) if how["procs"] == "requested" else (4, 7)
        self.procs = np.where(rows[:, first] > 0, rows[:, first], rows[:, second])
        self.request = rows[:, 8]
        self.end = self.submit + np.maximum(rows[:, 2], 0) + self.run
        self.x = np.column_stack([self.procs, self.request, rows[:, 9]])
        names = [rows[:, COLUMN[word]] for word in params["template"].split("+")]
        keys = list(zip(*names))
        self.category = self.number(keys)
        self.by_end = np.argsort(self.end, kind="stable")
        known = np.where(self.x >= 0, self.x, np.inf)
        self.least = np.minimum.accumulate(known, axis=0)
        known = np.where(self.x >= 0, self.x, -np.inf)
        self.greatest = np.maximum.accumulate(known, axis=0)

    @staticmethod
    def number(keys):
        seen = {}
        return np.array([seen.setdefault(key, len(seen)) for key in keys])

    def scaled(self, rows, i, window):
        if self.how["ranges"] == "known":
            least, greatest = self.least[i], self.greatest[i]
        elif self.how["ranges"] == "log":
            least, greatest = self.least[-1], self.greatest[-1]
        else:
            x = self.x[np.append(window, i)]
            least = np.where(x >= 0, x, np.inf).min(axis=0)
            greatest = np.where(x >= 0, x, -np.inf).max(axis=0)
        span = greatest - least
        x = self.x[rows]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where((span > 0) & (x >= 0), (x - least) / span, 0)

    def window(self, i, n):
        """Ended jobs that may be looked at when job i is submitted."""
        if self.how["counts"] == "submitted":
            jobs = np.arange(max(0, i - n), i)
            return jobs[self.end[jobs] <= self.submit[i]]
        ended = self.by_end[:np.searchsorted(self.end[self.by_end], self.submit[i], side="right")]
        return np.sort(ended[ended < i][-n:])

    def similarity(self, a, b):
        length_a = np.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
        length_b = np.sqrt(b[:, 0] * b[:, 0] + b[:, 1] * b[:, 1] + b[:, 2] * b[:, 2])
        with np.errstate(invalid="ignore", divide="ignore"):
            cosine = (a[0] * b[:, 0] + a[1] * b[:, 1] + a[2] * b[:, 2]) / (length_a * length_b)
        zeros = {"alike": (length_b == length_a) * 1.0, "never": np.zeros(len(b)), "always": np.ones(len(b))}[self.how["zeros"]]
        return np.where((length_a > 0) & (length_b > 0), cosine, zeros)

    def nearest(self, i, jobs, window, k):
        sims = self.similarity(self.scaled([i], i, window)[0], self.scaled(jobs, i, window))
        if len(jobs) > k:
            keep = sims >= np.partition(sims, len(sims) - k)[len(sims) - k]
            jobs, sims = jobs[keep], sims[keep]
        order = np.lexsort((-jobs if self.how["ties"] == "recent" else jobs, -sims))
        return jobs[order[:k]]

    def predict(self, i):
        group = "2" if self.request[i] >= self.params["pivot"] else "1"
        n, k, alpha, beta = (self.params[name + group] for name in ("n", "k", "alpha", "beta"))
        window = self.window(i, int(n))
        said = self.request[i]
        jobs = window[self.category[window] == self.category[i]]
        if len(jobs) == 0:
            jobs = window
        if len(jobs) > 0:
            run = self.run[self.nearest(i, jobs, window, int(k))]
            mean = run.sum() / len(run)
            below = len(run) - (self.how["deviation"] == "n-1")
            said = mean + (alpha * np.sqrt(((run - mean) ** 2).sum() / below) if len(run) > 1 else 0)
            said = min(said, beta * self.request[i])
        return min(max(said, 1), self.request[i])


def errors(rows, params, how):
    predictor = Predictor(rows, params, how)
    assert (predictor.request > 0).all(), "this script knows no jobs without requested time"
    tested = np.arange(len(rows) // 2, len(rows))
    said = np.array([predictor.predict(i) for i in tested])
    run, procs = predictor.run[tested], predictor.procs[tested]
    error = np.abs(said - run)
    return (said < run).mean(), error.mean() / 60, (error * procs * run).sum() / (procs * run).sum() / 60


def program(workloom, path, params):
    out = subprocess.run([workloom, "predict", path, "--select", "all", "--train", "0.5", "--predictor", "minh2010:" + params,
                          "--json", "-q"], capture_output=True, text=True, check=True).stdout
    got = json.loads(out)["predictors"][0]
    return got["underestimated_fraction"], got["mae_s"] / 60, got["wae_s"] / 60


def main():
    workloom, traces = sys.argv[1], sys.argv[2]
    bad = 0
    for name, log, begin, end, params in YEARS:
        if len(sys.argv) > 3 and name != sys.argv[3]:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "year.swf")
            subprocess.run([workloom, "convert", os.path.join(traces, log + ".swf.gz"), path, "--select", "completed", "--from-time",
                            begin, "--to-time", end, "-q"], check=True)
            rows, ours = read_log(path), program(workloom, path, params)
        print(f"{name}: {len(rows)} jobs; workloom: {ours[0]:.4%} {ours[1]:.4f} {ours[2]:.4f}", flush=True)
        for how in VARIANTS:
            got = errors(rows, read_params(params), how)
            changed = " ".join(f"{k}={v}" for k, v in how.items() if v != BASE[k]) or "as is"
            same = max(abs(a / b - 1) for a, b in zip(got, ours)) < 1e-10
            bad += changed == "as is" and not same
            print(f"  {changed:20} {got[0]:.2%} {got[1]:.2f} {got[2]:.1f}{'' if changed != 'as is' else ' equal' if same else ' DIFFERS'}",
                  flush=True)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
