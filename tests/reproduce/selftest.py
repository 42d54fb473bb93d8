#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""selftest.py RUN: the test of verdicts fails when it must.

A made-up 'workloom' prints a made-up reproduction; RUN (run.py) is started on it with stored verdicts. Speaks TAP.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile


def claim(verdict, tried=None, value=1.0, deciding=None):
    return {"what": "a number", "log": "KTH-SP2", "verdict": verdict, "tried": tried, "value": value,
            "replications_deciding": deciding}


def judged(folder, run, items, stored):
    """The exit status of run.py, and what it printed."""
    program = folder / "workloom"
    program.write_text("#!/bin/sh\ncat <<'END'\n" + json.dumps({"items": items}) + "\nEND\n", encoding="utf-8")
    program.chmod(0o755)
    verdicts = folder / "verdicts.tsv"
    verdicts.write_text("".join("\t".join(line) + "\n" for line in stored), encoding="utf-8")
    (folder / "made-up.swf.gz").write_bytes(b"")
    done = subprocess.run([sys.executable, run, program, verdicts], capture_output=True, text=True, check=False,
                          env={**os.environ, "WORKLOOM_TRACES": str(folder)})
    return done.returncode, done.stdout


def item(name, *claims):
    return {"name": name, "verdict": claims[0]["verdict"], "claims": list(claims)}


SAME = [("a/table-1", "0", "KTH-SP2", "same")]
CASES = [
    ("equal verdicts pass", [item("a/table-1", claim("same"))], SAME, 0, "ok 1 - a/table-1"),
    ("a verdict that changes fails", [item("a/table-1", claim("differs", "a reading: 2"))], SAME, 1,
     "KTH-SP2 differs (1.0), stored KTH-SP2 same"),
    ("a verdict that becomes undecided fails", [item("a/table-1", claim("undecided"))], SAME, 1,
     "undecided (1.0), stored KTH-SP2 same"),
    ("a better verdict fails too", [item("a/table-1", claim("same"))],
     [("a/table-1", "0", "KTH-SP2", "differs")], 1, "stored KTH-SP2 differs"),
    ("a claim that differs without readings fails", [item("a/table-1", claim("differs"))],
     [("a/table-1", "0", "KTH-SP2", "differs")], 1, "no reading is named"),
    ("an undecided claim without a way to decide it fails", [item("a/table-1", claim("undecided"))],
     [("a/table-1", "0", "KTH-SP2", "undecided")], 1, "nothing is said of what would decide it"),
    ("an undecided claim with a number of replications passes", [item("a/table-1", claim("undecided", deciding=40))],
     [("a/table-1", "0", "KTH-SP2", "undecided")], 0, "ok 1 - a/table-1"),
    ("a new claim fails", [item("a/table-1", claim("same"), claim("same"))], SAME, 1, "has no stored verdict"),
    ("an item that is gone fails", [], SAME, 1, "a/table-1"),
]


def main():
    run = sys.argv[1]
    print(f"1..{len(CASES)}")
    bad = 0
    for number, (title, items, stored, status, text) in enumerate(CASES, 1):
        with tempfile.TemporaryDirectory() as folder:
            got, output = judged(pathlib.Path(folder), run, items, stored)
        good = got == status and text in output
        bad += not good
        print(f"{'ok' if good else 'not ok'} {number} - {title}")
        if not good:
            print("".join(f"# {line}\n" for line in output.splitlines()), end="")
    return bad != 0


sys.exit(main())
