#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""run.py WORKLOOM VERDICTS [--update]: 'reproduce --quick' gives the stored verdicts.

Logs are read from the folder that WORKLOOM_TRACES names (default: ../shared/traces). VERDICTS has a line for each claim: item, claim, log, verdict, with tabs between. Each claim that differs must say which
readings were tried, and each that is undecided how many replications may decide it, or what was tried. With --update the file is written anew: read the difference. Speaks TAP, a case for
each item.
"""

import json
import os
import pathlib
import subprocess
import sys


def measure(workloom, logs):
    run = subprocess.run([workloom, "reproduce", "--quick", "--logs", logs, "--json", "-q"],
                         capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"reproduce failed: {run.stderr.strip()}")
    return json.loads(run.stdout)["items"]


def lines_of(item):
    return [(item["name"], str(i), claim["log"] or "", claim["verdict"])
            for i, claim in enumerate(item["claims"])]


def stored(path):
    verdicts = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, index, log, verdict = line.split("\t")
        verdicts[name, index] = (log, verdict)
    return verdicts


def complaints(item, verdicts):
    """What is wrong with the claims of an item."""
    for (name, index, log, verdict), claim in zip(lines_of(item), item["claims"]):
        if verdict == "differs" and not claim["tried"]:
            yield f"{claim['what']} ({log}) differs, and no reading is named"
        if verdict == "undecided" and not claim["tried"] and not claim["replications_deciding"]:
            yield f"{claim['what']} ({log}) is undecided, and nothing is said of what would decide it"
        if (name, index) not in verdicts:
            yield f"{claim['what']} ({log}) has no stored verdict"
        elif verdicts[name, index] != (log, verdict):
            before = verdicts[name, index]
            yield f"{claim['what']}: {log} {verdict} ({claim['value']}), stored {before[0]} {before[1]}"


def main():
    workloom, path = sys.argv[1], pathlib.Path(sys.argv[2])
    root = pathlib.Path(__file__).resolve().parents[2]
    logs = os.environ.get("WORKLOOM_TRACES", str(root.parent / "shared" / "traces"))
    if not any(pathlib.Path(logs).glob("*.swf.gz")):
        print(f"1..0 # SKIP no logs in {logs}")
        return 0
    items = measure(workloom, logs)
    if sys.argv[3:] == ["--update"]:
        path.write_text("".join("\t".join(line) + "\n" for item in items for line in lines_of(item)),
                        encoding="utf-8")
        return 0
    verdicts = stored(path)
    print(f"1..{len(items) + 1}")
    bad = 0
    for number, item in enumerate(items, 1):
        found = list(complaints(item, verdicts))
        bad += bool(found)
        print(f"{'not ok' if found else 'ok'} {number} - {item['name']}: {item['verdict']}")
        for text in found:
            print(f"# {text}")
    gone = {name for name, _ in verdicts} - {item["name"] for item in items}
    bad += bool(gone)
    print(f"{'not ok' if gone else 'ok'} {len(items) + 1} - all stored items are there {sorted(gone) or ''}")
    return bad != 0


sys.exit(main())
