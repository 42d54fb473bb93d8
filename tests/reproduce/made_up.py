#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""made_up.py WORKLOOM: 'reproduce' finds logs by name and by header, and continues after a kill.

Logs are generated, with names and headers of the archive. Speaks TAP.
"""

import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

HEADER = "; Computer: IBM SP2\n; Installation: Swedish Royal Institute of Technology (KTH)\n"


def with_user(line):
    """A job that did not wait, of one of 30 users, who is the same for five jobs in a row."""
    fields = line.split()
    if line.startswith(";") or len(fields) != 18:
        return line
    fields[2], fields[8] = "0", fields[3]
    fields[11] = str(int(fields[0]) // 5 * 7 % 30 + 1)
    return " ".join(fields)


def stored(db):
    """How many claims a database has; 0 while it is not there."""
    try:
        with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as base:
            return base.execute("SELECT count(*) FROM claims").fetchone()[0]
    except sqlite3.Error:
        return 0


class Place:
    """A directory of logs, and runs of the command on it."""

    def __init__(self, workloom, folder):
        self.workloom, self.folder = workloom, pathlib.Path(folder)
        self.logs = self.folder / "logs"
        self.logs.mkdir()

    def generate(self, name, header="", jobs=3000):
        path = self.folder / "jobs.swf"
        subprocess.run([self.workloom, "generate", "lublin2003", "--jobs", str(jobs), "--seed", "7", "-o", path, "-q"],
                       check=True)
        lines = path.read_text(encoding="utf-8").splitlines()
        (self.logs / name).write_text(header + "".join(with_user(line) + "\n" for line in lines), encoding="utf-8")

    def clear(self):
        for path in self.logs.iterdir():
            path.unlink()

    def command(self, *words):
        return [self.workloom, "reproduce", *words, "--logs", str(self.logs), "-q"]

    def claims(self, *words):
        run = subprocess.run(self.command(*words, "--json"), capture_output=True, text=True, check=True)
        return [claim for item in json.loads(run.stdout)["items"] for claim in item["claims"]]


def found(place, log, item="feitelson2002/table-2"):
    return [claim for claim in place.claims(item) if claim["log"] == log and claim["value"] is not None]


def by_name(place):
    place.generate("CTC-SP2-1996-3.1-cln.swf")
    return found(place, "CTC-SP2") and not found(place, "KTH-SP2")


def by_header(place):
    place.clear()
    place.generate("some-name.swf", HEADER)
    return found(place, "KTH-SP2") and not found(place, "CTC-SP2")


def not_at_hand(place):
    place.clear()
    claims = place.claims("feitelson2002/table-2")
    return all("log not at hand" in claim["reason"] and claim["verdict"] == "not possible" for claim in claims)


def quick_is_said(place):
    place.clear()
    place.generate("HPC2N-2002-2.2-cln.swf")
    run = subprocess.run([*place.command("minh2010/figure-7"), "--wide"], capture_output=True, text=True,
                         check=True)
    lines = [line for line in run.stdout.splitlines() if "n = " in line]
    return lines and all(" of " in line and "quick" in line for line in lines)


ITEMS = ["lublin2003/table-2", "zakay2017/ch4"]


def continues(place):
    """Kill the command as soon as it has stored something, run it again, and compare with one run."""
    place.clear()
    place.generate("KTH-SP2-1996-2.1-cln.swf", jobs=20000)
    whole = place.claims(*ITEMS)
    db = place.folder / "part.db"
    with subprocess.Popen(place.command(*ITEMS, "--db", str(db)), stdout=subprocess.DEVNULL) as run:
        while run.poll() is None and stored(db) < 1:
            time.sleep(0.01)
        run.kill()
    part = stored(db)
    again = place.claims(*ITEMS, "--db", str(db))
    measured = sum(claim["value"] is not None for claim in whole)
    return 0 < part < measured and again == whole and part < stored(db)


CASES = [
    ("a log not at hand is named", not_at_hand),
    ("a file with a name of the archive is measured", by_name),
    ("a renamed file is found by its header", by_header),
    ("each line of a quick run says how many replications it has of how many", quick_is_said),
    ("a killed run continues, with the same numbers", continues),
]


def main():
    bad = 0
    print(f"1..{len(CASES)}")
    with tempfile.TemporaryDirectory() as folder:
        place = Place(sys.argv[1], folder)
        for number, (title, case) in enumerate(CASES, 1):
            good = bool(case(place))
            bad += not good
            print(f"{'ok' if good else 'not ok'} {number} - {title}")
    return bad != 0


sys.exit(main())
