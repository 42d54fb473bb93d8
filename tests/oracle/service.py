#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""service.py TRACES > service.tsv: the service that logs show, computed without Workloom.

Reads the raw logs line by line, finds the complete window by the rule of docs/methods/trace.md ("The covered
window"), and prints every observed figure: waits, responses and bounded slowdowns, utilization and queue,
and all of them by user, group, queue, partition, size, runtime and hour. Nothing but the standard library.
"""
import calendar
import datetime
import gzip
import math
import re
import sys
import zoneinfo

LOGS = ['sacct-xdmod-pozidriv.txt.gz', 'KTH-SP2-1996-2.1-cln.swf.gz', 'SDSC-SP2-1998-4.2-cln.swf.gz',
        'HPC2N-2002-2.2-cln.swf.gz']
RUNTIMES = [(10, 'up to 10 s'), (60, 'up to 1 min'), (600, 'up to 10 min'), (3600, 'up to 1 h'),
            (21600, 'up to 6 h'), (86400, 'up to 1 day'), (math.inf, 'over 1 day')]


class Job:
    __slots__ = ('submit', 'wait', 'run', 'procs', 'used', 'user', 'group', 'queue', 'partition')


def read_swf(path):
    jobs, start, zone, size, names = [], None, None, None, {}
    for line in gzip.open(path, 'rt', errors='replace'):
        if line.startswith(';'):
            m = re.match(r';\s*(\w+):\s*(.*)', line)
            if m and m[1] == 'UnixStartTime':
                start = int(m[2].split()[0])
            elif m and m[1] == 'TimeZoneString':
                zone = m[2].strip()
            elif m and m[1] == 'MaxProcs':
                size = int(m[2].split()[0])
            elif m and m[1] in ('Queue', 'Partition') and re.match(r'\d+\s+\S', m[2]):
                names[m[1], int(m[2].split()[0])] = m[2].split(None, 1)[1].strip()
            continue
        f = line.split()
        if len(f) < 18:
            continue
        if float(f[3]) < 0 or int(f[4]) <= 0:  # only jobs that ran
            continue
        j = Job()
        j.submit, j.wait, j.run = int(float(f[1])), int(float(f[2])), int(round(float(f[3])))
        j.procs = int(f[7]) if int(f[7]) > 0 else int(f[4])
        j.used = int(f[4])
        j.user, j.group, j.queue, j.partition = (int(f[i]) for i in (11, 12, 14, 15))
        j.queue = names.get(('Queue', j.queue), j.queue)
        j.partition = names.get(('Partition', j.partition), j.partition)
        jobs.append(j)
    return jobs, start, zoneinfo.ZoneInfo(zone) if zone else datetime.timezone.utc, size


def seconds(text):
    return calendar.timegm(datetime.datetime.strptime(text, '%Y-%m-%dT%H:%M:%S').timetuple())


def read_sacct(path):
    """A job that ended in the second it started in without an end state of its own never ran."""
    jobs, first = [], math.inf
    for line in gzip.open(path, 'rt'):
        f = line.rstrip('\n').split('|')
        submit, begin, end = seconds(f[10]), f[12], f[13]
        first = min(first, submit)
        if begin == 'Unknown' or int(f[18]) <= 0 or (f[16].startswith('CANCELLED') and begin == end):
            continue
        j = Job()
        j.submit, j.wait, j.run = submit, seconds(begin) - submit, seconds(end) - seconds(begin)
        j.procs = int(f[19]) if int(f[19]) > 0 else int(f[18])
        j.used = int(f[18])
        j.user, j.group, j.queue, j.partition = f[8], f[6], f[3], f[2]
        jobs.append(j)
    for j in jobs:
        j.submit -= first
    return jobs, first, datetime.timezone.utc, None


def trim(events):
    """The change points of cumulative sums, with a tenth of the mean rate as reference, until they stay."""
    first, last = 0, len(events) - 1
    while events[first] < events[last]:
        c = 0.1 * (last - first + 1) / (events[last] - events[first])
        head = min(range(first, last + 1), key=lambda i: ((i - first) - c * (events[i] - events[first]), i))
        tail = min(range(first, last + 1), key=lambda i: ((last - i) - c * (events[last] - events[i]), -i))
        if (head, tail) == (first, last) or head >= tail:
            break
        first, last = head, tail
    return events[first], events[last]


def use_steps(jobs):
    changes = {}
    for j in jobs:
        if j.wait >= 0 and j.run > 0:
            changes[j.submit + j.wait] = changes.get(j.submit + j.wait, 0) + j.used
            changes[j.submit + j.wait + j.run] = changes.get(j.submit + j.wait + j.run, 0) - j.used
    level, steps = 0, []
    times = sorted(changes)
    for at, after in zip(times, times[1:]):
        level += changes[at]
        steps.append((at, after, level))
    return steps


def window_of(jobs):
    submits = trim(sorted(j.submit for j in jobs))
    ends = trim(sorted(j.submit + j.wait + j.run for j in jobs if j.wait >= 0))
    low, high = max(submits[0], ends[0]), min(submits[1], ends[1])
    inside = [(max(a, low), min(b, high), level) for a, b, level in use_steps(jobs)]
    inside = [s for s in inside if s[1] > s[0]]
    half, below, median = sum(b - a for a, b, _ in inside) / 2, 0, 0
    for a, b, level in sorted(inside, key=lambda s: s[2]):
        below += b - a
        median = level
        if below >= half:
            break
    busy = [s for s in inside if 2 * s[2] >= median]
    return busy[0][0], busy[-1][1]


def machine_size(jobs):
    """The number in use that is exceeded for a thousandth of the busy time; the widest thousandth of the jobs
    are set aside at first."""
    def exceeded(limit):
        steps = [s for s in use_steps([j for j in jobs if j.used <= limit]) if s[2] > 0]
        busy, above = sum(b - a for a, b, _ in steps), 0
        for a, b, level in sorted(steps, key=lambda s: -s[2]):
            above += b - a
            if above > 0.001 * busy:
                return level
    widths = sorted(j.used for j in jobs)
    level = exceeded(widths[len(widths) - 1 - len(widths) // 1000])
    level = exceeded(2 * level)
    return max([level] + [j.used for j in jobs if j.used <= 2 * level])


def quantile(values, p):
    at = p * (len(values) - 1)
    low = math.floor(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def bounded(j):
    return max(1, (j.wait + j.run) / max(j.run, 10))


def summary(values):
    values = sorted(values)
    return [len(values), math.fsum(values) / len(values)] + [quantile(values, p) for p in (.5, .9, .95, .99)] + \
        [values[-1]]


def queue_of(jobs, low, high):
    events = {}
    for j in jobs:
        if j.wait > 0:
            events[j.submit] = events.get(j.submit, 0) + 1
            events[j.submit + j.wait] = events.get(j.submit + j.wait, 0) - 1
    waiting, area, most = 0, 0, 0
    times = sorted(events)
    for at, after in zip(times, times[1:]):
        waiting += events[at]
        inside = min(after, high) - max(at, low)
        if inside > 0:
            area += inside * waiting
            most = max(most, waiting)
    return area / (high - low), most


def size_class(procs):
    power = 1
    while power < procs:
        power *= 2
    return str(power) if power <= 2 else f'{power // 2 + 1}-{power}'


def classes_of(jobs, start, zone):
    def hour(j):
        return f'{datetime.datetime.fromtimestamp(start + j.submit, zone).hour:02d}:00'

    def number(n):
        return n if isinstance(n, str) else str(n) if n >= 0 else 'unknown'
    return {'user': lambda j: number(j.user), 'group': lambda j: number(j.group),
            'queue': lambda j: number(j.queue), 'partition': lambda j: number(j.partition),
            'size': lambda j: size_class(j.procs),
            'runtime': lambda j: next(text for most, text in RUNTIMES if j.run <= most), 'hour': hour}


def put(*fields):
    print('\t'.join(f'{f:.12g}' if isinstance(f, float) else str(f) for f in fields))


def measure(folder, log):
    jobs, start, zone, size = (read_sacct if log.startswith('sacct') else read_swf)(f'{folder}/{log}')
    low, high = window_of(jobs)
    chosen = [j for j in jobs if low <= j.submit <= high]
    waited = [j for j in chosen if j.wait >= 0]
    used = sum(j.used * max(0, min(j.submit + j.wait + j.run, high) - max(j.submit + j.wait, low))
               for j in jobs if j.wait >= 0)
    waits, slowdowns = summary([j.wait for j in waited]), summary([bounded(j) for j in waited])
    responses = summary([j.wait + j.run for j in waited])
    mean, most = queue_of(jobs, low, high)
    for key, value in {
            'window.from_s': low, 'window.to_s': high, 'service.wait.mean_s': waits[1],
            'service.wait.median_s': waits[2], 'service.wait.p90_s': waits[3], 'service.wait.p99_s': waits[5],
            'service.response.mean_s': responses[1], 'service.slowdown.bounded_mean': slowdowns[1],
            'service.utilization': used / (high - low) / (size or machine_size(jobs)),
            'service.queue.mean': mean, 'service.queue.max': most}.items():
        put(log, 'feature', key, value)
    for name, values in (('wait (s)', waits), ('response (s)', responses), ('bounded slowdown', slowdowns)):
        put(log, 'service', name, *values)
    work = sum(j.run * j.used for j in chosen)
    for by, key in classes_of(jobs, start, zone).items():
        groups = {}
        for j in chosen:
            groups.setdefault(key(j), []).append(j)
        if set(groups) == {'unknown'}:
            continue
        for name in sorted(groups):
            group = groups[name]
            known = [j for j in group if j.wait >= 0]
            values = summary([j.wait for j in known]) if known else [0] + 6 * [math.nan]
            its = sum(j.run * j.used for j in group)
            put(log, by, name, len(group), len(group) / len(chosen), its, its / work, values[1], values[2],
                values[3], values[5],
                math.fsum(j.wait + j.run for j in known) / len(known) if known else math.nan,
                math.fsum(map(bounded, known)) / len(known) if known else math.nan)


for each in LOGS:
    measure(sys.argv[1], each)
