#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints tests/oracle/zone_offsets.inc, for tests/unit/test_tzif.c: offsets of time zones and Unix times of local
times, by Python's zoneinfo (an implementation of its own, on the system's time zone database).

Moments: around both changes of daylight saving time, past and far in the future (where the rule at the end of a zone's
file applies), on both hemispheres, in zones with half and quarter hours. The zones have kept their rules for a long
time, so that a newer database gives the same answers.
"""
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

# zone, year in which to look for changes
CHANGES = [
    ("Europe/Amsterdam", 2003),
    ("Europe/Stockholm", 1996),
    ("Europe/London", 2500),
    ("America/Los_Angeles", 1993),
    ("America/New_York", 2000),
    ("America/Denver", 9000),
    ("America/St_Johns", 2015),
    ("Australia/Sydney", 2010),
    ("Australia/Sydney", 2400),
    ("Australia/Lord_Howe", 2012),
    ("Pacific/Auckland", 2300),
]
SINGLE = [
    ("UTC", "2020-06-01"),
    ("Asia/Kolkata", "2005-06-01"),
    ("Asia/Kolkata", "3005-06-01"),
    ("Asia/Kathmandu", "2005-06-01"),
    ("Asia/Tokyo", "2999-12-31"),
    ("America/New_York", "1850-07-01"),
    ("Etc/GMT+5", "2005-06-01"),
]


def offset(zone, unix_s):
    moment = (EPOCH + timedelta(seconds=unix_s)).astimezone(ZoneInfo(zone))
    return int(moment.utcoffset().total_seconds())


def unix(text):
    return int((datetime.fromisoformat(text).replace(tzinfo=timezone.utc) - EPOCH).total_seconds())


def changes(zone, year):
    """The Unix times in a year at which the offset is new."""
    start, end, day = unix(f"{year:04}-01-01"), unix(f"{year + 1:04}-01-01"), 86400
    for low in range(start, end, day):
        high = low + day
        if offset(zone, low) == offset(zone, high):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(zone, middle) == offset(zone, low) else (low, middle)
        yield high


def local_to_unix(zone, local_s):
    """As read by the offset before a change (fold 0)."""
    naive = EPOCH.replace(tzinfo=None) + timedelta(seconds=local_s)
    return local_s - int(naive.replace(tzinfo=ZoneInfo(zone), fold=0).utcoffset().total_seconds())


def main():
    moments = [(zone, at + step) for zone, year in CHANGES for at in changes(zone, year) for step in (-1, 0)]
    moments += [(zone, unix(text)) for zone, text in SINGLE]
    print("/* Made by zone_offsets.py with the time zone database of the system. */")
    print("static const struct offset_row offset_rows[] = {")
    for zone, at in moments:
        print(f'    {{"{zone}", {at}, {offset(zone, at)}}},')
    print("};\n\nstatic const struct local_row local_rows[] = {")
    for zone, year in CHANGES:
        for at in changes(zone, year):
            before, after = offset(zone, at - 1), offset(zone, at)
            edges = sorted((at + before, at + after))
            # Either side of the gap or overlap, its ends and its middle.
            for local in (edges[0] - 1, edges[0], sum(edges) // 2, edges[1] - 1, edges[1]):
                print(f'    {{"{zone}", {local}, {local_to_unix(zone, local)}}},')
    print("};")


if __name__ == "__main__":
    main()
