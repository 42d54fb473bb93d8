#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables and features of a small log, straight from their definitions, for
tests/unit/test_analyses.c: python3 analyses.py > analyses.inc. Nothing here is fast: pairs are gone
through one by one, and each second or window is looked at by itself."""
import datetime
import math
import statistics
from itertools import combinations

import numpy as np
from scipy import stats

START, PROCS, DAY, WEEK = 1000000000, 64, 86400, 7 * 86400  # a Sunday, 01:46:40 UTC
LAGS = 200


def make_jobs():
    """submit, wait, run, procs, request, user, executable; -1 is unknown."""
    state, submit, jobs = 12345, 0, []

    def draw(n):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) % n

    user, procs, request, executable = 1, 1, 600, 1
    for i in range(420):
        if draw(4) == 0:
            user, procs = 1 + min(draw(9), draw(9)), 2 ** draw(6)
            request, executable = 600 * (1 + draw(5)), draw(12)
            submit += draw(30000)
        submit += draw(90) if draw(3) else draw(2500)
        run = -1 if i % 97 == 50 else draw(300) * draw(40) if draw(5) else draw(40000)
        wait = -1 if i % 101 == 60 else draw(2000) * draw(3)
        jobs.append((submit, wait, run, procs, request, -1 if i % 89 == 30 else user,
                     -1 if i % 50 == 7 else executable))
    return jobs


JOBS = make_jobs()
SUBMIT = [j[0] for j in JOBS]
RESULTS = []


def put(table, *cells):
    text = []
    for cell in cells:
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            text.append("")
        else:
            text.append(cell if isinstance(cell, str) else repr(float(cell)))
    RESULTS.append((table, text))


def by_user():
    users = {}
    for job in JOBS:
        if job[5] >= 0:
            users.setdefault(job[5], []).append(job)
    return [users[u] for u in sorted(users)]


def ended(job):
    return job[0] + max(job[1], 0) + max(job[2], 0)


# ---- sessions (Zakay, chapter 2) ---------------------------------------------------------------


def split(jobs, method, threshold, cut):
    """The sessions of one user, each a list of batches."""

    def end(job):
        return min(ended(job), job[0] + cut) if method.endswith("cut") else ended(job)

    sessions = []
    for i, job in enumerate(jobs):
        if i == 0:
            sessions.append([[job]])
            continue
        before = jobs[:i]
        last, latest = end(before[-1]), max(end(b) for b in before)
        start = {"arrival": before[-1][0], "last": last, "last_cut": last, "max": latest,
                 "max_cut": latest}[method]
        # Batches of arrival sessions go by the latest end of the jobs before in the session.
        think = max(end(b) for batch in sessions[-1] for b in batch) if method == "arrival" else start
        if job[0] - start > threshold:
            sessions.append([[job]])
        elif job[0] - think > 0:
            sessions[-1].append([job])
        else:
            sessions[-1][-1].append(job)
    return sessions


def sessions_of(method, threshold, cut=3600):
    return [s for jobs in by_user() for s in split(jobs, method, threshold, cut)]


def length(session, method, cut):
    jobs = [job for batch in session for job in batch]
    if method == "arrival":
        return jobs[-1][0] - jobs[0][0]
    ends = [min(ended(j), j[0] + cut) if method.endswith("cut") else ended(j) for j in jobs]
    return max(ends) - jobs[0][0]


def session_tables():
    for method in ("arrival", "last", "max", "last_cut", "max_cut"):
        for threshold in (10, 20, 60):
            for cut in (30, 60, 120) if method.endswith("cut") else (None,):
                found = sessions_of(method, threshold * 60, 60 * (cut or 60))
                lengths = [length(s, method, 60 * (cut or 60)) for s in found]
                sizes = [sum(map(len, s)) for s in found]
                measured = (statistics.mean(lengths), max(lengths),
                            sum(x > 60000 for x in lengths) / len(lengths))
                # How long a session by last is depends on a reading of the text (docs/USERS.md).
                put("session-rules", method, threshold, cut, len(found), sum(map(len, found)),
                    statistics.mean(sizes), sizes.count(1) / len(sizes),
                    *("***" if method.startswith("last") else measured))
    for method in ("arrival", "max"):
        for threshold in (10, 20, 60):
            lengths = [length(s, method, 0) for s in sessions_of(method, threshold * 60)]
            for minute in range(2, 1000):
                n = sum(120 < x and x // 60 == minute for x in lengths)
                if n:
                    put(f"session-histogram-{method}", f"{threshold} min", minute, n)
    found = sessions_of("arrival", 3600)
    ecdf("session-sizes", "jobs in a batch", [len(b) for s in found for b in s])
    ecdf("session-sizes", "batches in a session", [len(s) for s in found])
    ecdf("session-sizes", "jobs in a session", [sum(map(len, s)) for s in found])


def ecdf(table, series, values):
    for x in sorted(set(values)):
        put(table, series, x, sum(v <= x for v in values) / len(values))


def think_tables():
    """Batches as sets of jobs; those found by both approaches are common."""
    batches, thinks = {}, {}
    for by in ("last", "max"):
        batches[by], thinks[by] = set(), []
        for jobs in by_user():
            runs = [b for s in split(jobs, by, 0, 0) for b in s]
            for run, following in zip(runs, runs[1:] + [None]):
                batches[by].add(tuple(run))
                if following:
                    before = jobs[:jobs.index(following[0])]
                    end = ended(before[-1]) if by == "last" else max(map(ended, before))
                    thinks[by].append((tuple(run), following[0][0] - end))
    kinds = {}
    for by in thinks:
        common = batches["last"] & batches["max"]
        kinds["common", by] = [t for b, t in thinks[by] if b in common and t <= DAY]
        kinds["alone", by] = [t for b, t in thinks[by] if b not in common and t <= DAY]
    for kind, by, name in (("common", "last", "common, by last"), ("common", "max", "common, by max"),
                           ("alone", "last", "last alone"), ("alone", "max", "max alone")):
        values = kinds[kind, by]
        other = kinds["common", {"last": "max", "max": "last"}[by] if kind == "common" else by]
        put("think-time-distances", name, len(values), np.quantile(values, 0.5), np.mean(values),
            np.mean(np.array(values) <= 1200), stats.ks_2samp(values, other).statistic)


def interarrivals():
    gaps = [b[0] - a[0] for jobs in by_user() for a, b in zip(jobs, jobs[1:])]
    gaps = [g for g in gaps if g <= DAY]
    for minute in range(301):
        put("user-interarrival-zoom", minute, sum(g <= 60 * minute for g in gaps) / len(gaps))


# ---- similarity (Zakay, chapter 3) -------------------------------------------------------------


def similarity():
    for column, name in ((3, "processors"), (4, "estimates"), (2, "runtimes")):
        for distance in range(6):
            means, medians, identical = [], [], []
            for jobs in by_user():
                sessions = [[j for b in s for j in b] for s in split(jobs, "arrival", 3600, 0)]
                if len(sessions) < 6 or len(jobs) == len(sessions):
                    continue
                values = [[j[column] for j in s if j[column] >= 0] for s in sessions]
                if distance == 0:
                    pairs = [p for s in values for p in combinations(s, 2)]
                else:
                    pairs = [(a, b) for s, t in zip(values, values[distance:]) for a in s for b in t]
                if pairs:
                    like = [1 if a == b else min(a, b) / max(a, b) for a, b in pairs]
                    means.append(np.mean(like))
                    medians.append(np.median(like))
                    identical.append(np.mean([a == b for a, b in pairs]))
            put("similarity-distance", name, distance, np.mean(means), np.mean(medians),
                np.mean(identical), len(means))
        # Mixed at random, any two jobs of a user are equally likely to share a session.
        chance = []
        for jobs in by_user():
            sessions = split(jobs, "arrival", 3600, 0)
            values = [j[column] for j in jobs if j[column] >= 0]
            if len(sessions) >= 6 and len(jobs) > len(sessions):
                chance.append(np.mean([1 if a == b else min(a, b) / max(a, b)
                                       for a, b in combinations(values, 2)]))
        put("similarity-chance", name, np.mean(chance))


# ---- bags (Minh) -------------------------------------------------------------------------------


def alike(a, b):
    return a[5] >= 0 and a[3:7] == b[3:7]


def bags_of(delta):
    bags = [[JOBS[0]]]
    for a, b in zip(JOBS, JOBS[1:]):
        if alike(a, b) and b[0] - a[0] <= delta:
            bags[-1].append(b)
        else:
            bags.append([b])
    return bags


def acf(x, lag):
    x = np.array(x, dtype=float) - np.mean(x)
    return (x[lag:] * x[:len(x) - lag]).sum() / (x * x).sum()


def write_acf(table, series, x):
    for lag in range(1, min(LAGS, len(x) - 1) + 1):
        put(table, series, lag, acf(x, lag))


def counts(times, interval):
    rate = [0] * ((times[-1] - times[0]) // interval + 1)
    for t in times:
        rate[(t - times[0]) // interval] += 1
    return rate


def bag_tables():
    bags = bags_of(100)
    means = []
    classes = {}
    for bag in bags:
        runs = [j[2] for j in bag if j[2] >= 0]
        if len(bag) < 2 or not runs:
            continue
        means.append(np.mean(runs))
        limit = next(e for e in range(2, 9) if np.mean(runs) < 10**e)
        classes.setdefault(limit, []).append((np.std(runs), np.mean(runs)))
    names = {2: "0 to 100 s", 3: "100 to 1000 s", 4: "1000 to 10000 s", 5: "10000 to 100000 s"}
    for limit in sorted(classes):
        sds, runs = zip(*classes[limit])
        put("bag-variability", names[limit], len(sds), np.mean(sds), np.mean(runs))
    write_acf("bag-runtimes-acf", "bags", means)
    write_acf("bag-runtimes-acf", "jobs", [j[2] for j in JOBS if j[2] >= 0])
    write_acf("interarrival-acf", "interarrival times", np.diff(SUBMIT))
    write_acf("interarrival-acf", "arrivals per interval", counts(SUBMIT, 900))
    for series, times in (("bags", [b[0][0] for b in bags]), ("jobs", SUBMIT)):
        rate = counts(times, 900)
        for lag in range(48, min(15 * 96, len(rate) - 1) + 1, 48):
            put("bag-arrivals-acf", series, lag / 96, acf(rate, lag))
    ecdf("bag-interarrival", "log", np.diff([b[0][0] for b in bags]))
    gaps = [(a, b[0] - a[0]) for a, b in zip(JOBS, JOBS[1:]) if alike(a, b)]
    ecdf("like-jobs", "all", [g for _, g in gaps])
    ecdf("like-jobs", "before the first ended",
         [g for a, g in gaps if a[1] < 0 or a[2] < 0 or a[0] + a[1] + a[2] >= a[0] + g])
    put("feature", "bot.like_gap_fraction", np.mean([g <= 100 for _, g in gaps]))
    for interval in (900, 1800, 3600, 7200):
        rate = counts(SUBMIT, interval)
        put("rate-intervals", interval, len(rate), rate.count(0) / len(rate))


# ---- the survey --------------------------------------------------------------------------------


def sensitivity():
    columns = (("runtime (s)", [j[2] for j in JOBS if j[2] >= 0]),
               ("processors", [j[3] for j in JOBS]),
               ("processor-seconds", [j[2] * j[3] for j in JOBS if j[2] >= 0]),
               ("interarrival time (s)", list(np.diff(SUBMIT))))
    for series, values in columns:
        values = sorted(values)
        first = None
        for omitted in (0, 5, 10, 20, 40, 80, 160):
            x = np.array(values[:len(values) - omitted], dtype=float)
            now = (x.mean(), x.std(ddof=1) / x.mean(), np.median(x))
            first = first or now
            change = [100 * (a / b - 1) if b else None for a, b in zip(now, first)]
            put("sensitivity", series, omitted, 100 * omitted / len(values), now[0], change[0],
                now[1], change[1], now[2], change[2])


def means():
    runs = [j[2] for j in JOBS if j[2] >= 0]
    for n in range(1, len(runs) + 1):
        put("running-mean", "as submitted", n, np.mean(runs[:n]))
    for value in sorted(set(runs)):
        above = [r for r in runs if r > value]
        if len(above) >= 20:
            put("residual", value, np.mean(above), len(above))


def windows():
    span = SUBMIT[-1] - SUBMIT[0] + 1
    hours = (1, 3, 12, 24, 48, 96, 168, 336, 672)
    for size in [h * 3600 for h in hours if h * 3600 <= span] + [span]:
        n = span // size
        users, sizes = 0, 0
        for w in range(n):
            inside = [j for j in JOBS if w * size <= j[0] - SUBMIT[0] < (w + 1) * size]
            users += len({j[5] for j in inside if j[5] >= 0})
            sizes += len({j[3] for j in inside})
        put("window-growth", size / DAY, n, users / n, sizes / n)
    order = sorted(by_user(), key=lambda jobs: -len(jobs))[:11]
    below = {}
    for jobs in order + [None]:
        if jobs is None:
            rest = [j for j in JOBS if all(j not in mine for mine in order)]
        weeks = [(j[0] - SUBMIT[0]) // WEEK for j in (rest if jobs is None else jobs)]
        for week in sorted(set(weeks)):
            put("jobs-weekly-users", f"user {jobs[0][5]}" if jobs else "all others", week,
                weeks.count(week), below.get(week, 0))
            below[week] = below.get(week, 0) + weeks.count(week)


def clock(t):
    return datetime.datetime.fromtimestamp(START + t, datetime.timezone.utc)


def machine():
    """From one start, end or full hour to the next, between which nothing changes."""
    runs = [(j[0] + j[1], j[0] + j[1] + j[2], j[3]) for j in JOBS if j[1] >= 0 and j[2] > 0]
    first, last = min(r[0] for r in runs), max(r[1] for r in runs)
    events = sorted({t for r in runs for t in r[:2]} |
                    {t for t in range(first, last) if (START + t) % 3600 == 0})
    time, hours = {}, {}
    for a, b in zip(events, events[1:]):
        jobs = sum(r[0] <= a < r[1] for r in runs)
        procs = sum(r[2] for r in runs if r[0] <= a < r[1])
        now = clock(a)
        weekend = now.weekday() >= 5
        period = "weekend" if weekend else "day" if 6 <= now.hour < 20 else "night"
        for name in ("all", period):
            time.setdefault(name, {})
            time[name][jobs] = time[name].get(jobs, 0) + b - a
        s, busy, running = hours.get((weekend, now.hour), (0, 0, 0))
        hours[weekend, now.hour] = (s + b - a, busy + procs * (b - a), running + jobs * (b - a))
    for name in ("all", "day", "night", "weekend"):
        total, below = sum(time[name].values()), 0
        for level in sorted(time[name]):
            below += time[name][level]
            put("multiprogramming", name, level, time[name][level] / total, below / total)
    for weekend, name in ((False, "Monday to Friday"), (True, "Saturday and Sunday")):
        for hour in range(24):
            s, busy, running = hours[weekend, hour]
            put("utilization-hour", name, hour, busy / s / PROCS, running / s)
    everything = time["all"]
    total = sum(everything.values())
    put("feature", "concurrency.jobs_mean", sum(k * v for k, v in everything.items()) / total)
    put("feature", "concurrency.jobs_max", max(everything))
    put("feature", "concurrency.idle_fraction", everything.get(0, 0) / total)
    put("feature", "concurrency.procs_max",
        max(sum(r[2] for r in runs if r[0] <= a < r[1]) for a in events))


def mean_median(values):
    return (np.mean(values), np.median(values)) if values else (None, None)


def hours():
    for hour in range(24):
        now = [j for j in JOBS if clock(j[0]).hour == hour]
        put("hour-profile", hour, len(now), *mean_median([j[2] for j in now if j[2] >= 0]),
            *mean_median([j[3] for j in now]),
            *mean_median([j[2] * j[3] for j in now if j[2] >= 0]))
    for key, value in (("runtime", lambda j: j[2]), ("procs", lambda j: j[3]),
                       ("work", lambda j: j[2] * j[3])):
        jobs = [j for j in JOBS if key == "procs" or j[2] >= 0]
        angle = [2 * math.pi * ((START + j[0]) % DAY) / DAY for j in jobs]
        ranks = stats.rankdata([value(j) for j in jobs])
        # The multiple correlation of the ranks with cosine and sine, by regression.
        design = np.column_stack([np.ones(len(jobs)), np.cos(angle), np.sin(angle)])
        fitted = design @ np.linalg.lstsq(design, ranks, rcond=None)[0]
        put("feature", "corr.hour_" + key, np.corrcoef(fitted, ranks)[0, 1])


def applications():
    runs = {}
    repeats = same_user = same_procs = 0
    for job in JOBS:
        if job[6] < 0:
            continue
        before = runs.setdefault(job[6], [])
        if before:
            repeats += 1
            same_user += job[5] >= 0 and job[5] == before[-1][5]
            same_procs += job[3] == before[-1][3]
        before.append(job)
    cvs = []
    for number in sorted(runs, key=lambda e: (-len(runs[e]), e)):
        times = [j[2] for j in runs[number] if j[2] >= 0]
        cv = np.std(times, ddof=1) / np.mean(times) if len(times) > 1 else None
        cvs.append(cv)
        put("applications", number, len(runs[number]),
            len({j[5] for j in runs[number] if j[5] >= 0}), len({j[3] for j in runs[number]}),
            np.mean(times), cv)
    put("feature", "application.count", len(runs))
    put("feature", "application.repeat_fraction", repeats / sum(map(len, runs.values())))
    put("feature", "application.same_user_fraction", same_user / repeats)
    put("feature", "application.same_procs_fraction", same_procs / repeats)
    put("feature", "application.shared_fraction",
        np.mean([len({j[5] for j in r if j[5] >= 0}) > 1 for r in runs.values()]))
    put("feature", "application.runtime_cv_mean", np.mean([c for c in cvs if c is not None]))
    for name, items in (("user", [j[5] for j in JOBS if j[5] >= 0]),
                        ("application", [j[6] for j in JOBS if j[6] >= 0])):
        found = sorted((items.count(i) for i in set(items)), reverse=True)
        line = stats.linregress(np.log10(range(1, len(found) + 1)), np.log10(found))
        put("feature", f"popularity.{name}_exponent", -line.slope)
        for rank, count in enumerate(found, 1):
            put("popularity", name + "s", rank, count)


for step in (session_tables, think_tables, interarrivals, similarity, bag_tables, sensitivity, means,
             windows, machine, hours, applications):
    step()
print("/* Made by analyses.py. */\nstatic const struct analysed_job analysed_jobs[] = {")
for job in JOBS:
    print("    {" + ", ".join(map(str, job)) + "},")
print("};\n\nstatic const struct analysed_row analysed_rows[] = {")
for table, cells in RESULTS:
    # Ten digits are more than tables have.
    short = [c if not c or not c.lstrip("-")[0].isdigit() or " " in c else f"{float(c):.10g}"
             for c in cells]
    print('    {"%s", {%s}},' % (table, ", ".join(f'"{c}"' for c in short)))
print("};")
