#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""made_up.py WORKLOOM: 'reproduce' finds logs by name and by header, and continues after a kill.

Logs are generated, with names and headers of the archive. Speaks TAP.
"""

import json
import pathlib
import signal
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


def changed_program(place):
    """A program that is not the same file measures again what another one stored."""
    place.clear()
    place.generate("KTH-SP2-1996-2.1-cln.swf")
    db, counts = place.folder / "programs.db", []
    changed = place.folder / "changed"
    changed.write_bytes(pathlib.Path(place.workloom).read_bytes() + b"changed")
    changed.chmod(0o755)
    for program in (place.workloom, place.workloom, str(changed)):
        subprocess.run([program, *place.command("feitelson2002/table-2", "--db", str(db))[1:]],
                       stdout=subprocess.DEVNULL, check=True)
        counts.append(stored(db))
    return 0 < counts[0] == counts[1] and counts[2] == 2 * counts[0]


def without_number(place):
    """The largest over the least mean wait is 0 / 0 where nobody waits: no number to judge."""
    place.clear()
    lines = ["; MaxProcs: 64", "; UnixStartTime: 852076800"]
    for job in range(84 * 6):
        day, user = divmod(job, 6)
        lines.append(f"{job + 1} {day * 86400 + 28800 + user * 3600} 0 100 1 -1 -1 1 200 -1 1 {user + 1} 1"
                     " -1 -1 -1 -1 -1")
    (place.logs / "KTH-SP2-1996-2.1-cln.swf").write_text("\n".join(lines) + "\n", encoding="utf-8")
    claims = [claim for claim in place.claims("zakay2017/ch5-table-1") if claim["log"] == "KTH-SP2"]
    return claims and all(claim["verdict"] == "not possible" and claim["value"] is None
                          and "no finite number" in claim["reason"] for claim in claims)


def whole_name(place):
    """An item's name stands for this item alone, the start of names for all of them."""
    place.clear()
    names = {}
    for word in ("minh2012/table-3.1", "minh2012/table-3."):
        run = subprocess.run(place.command(word, "--json"), capture_output=True, text=True, check=True)
        names[word] = [item["name"] for item in json.loads(run.stdout)["items"]]
    run = subprocess.run(place.command("minh2012/table-3.1"), capture_output=True, text=True, check=True)
    return (names["minh2012/table-3.1"] == ["minh2012/table-3.1"] and len(names["minh2012/table-3."]) == 20
            and "\n1 item: " in run.stdout)


def impossible_claims(place):
    """A verdict says how many claims it is not about."""
    place.clear()
    place.generate("KTH-SP2-1996-2.1-cln.swf")
    page = place.folder / "page.md"
    subprocess.run(place.command("feitelson2002/table-2", "--markdown", str(page)), stdout=subprocess.DEVNULL,
                   check=True)
    return "**, 4 of 5 claims not possible\n" in page.read_text(encoding="utf-8")


def interrupted(place):
    """Ctrl-C lets the claim at hand finish and says so; the same command then does the rest."""
    place.clear()
    place.generate("KTH-SP2-1996-2.1-cln.swf", jobs=20000)
    db = place.folder / "interrupted.db"
    words = [word for word in place.command(*ITEMS, "--db", str(db)) if word != "-q"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
        while run.poll() is None and stored(db) < 1:
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        messages = run.communicate()[1]
    part = stored(db)
    place.claims(*ITEMS, "--db", str(db))
    return "the same command continues from here" in messages and 0 < part < stored(db)


def quick_against_full(place):
    """Runs of both kinds in one database: a page says which verdicts differ, and JSON has both numbers."""
    place.clear()
    db, page = str(place.folder / "both.db"), place.folder / "both.md"
    item = "feitelson2002/figure-4"
    full = place.claims(item, "--full", "--db", db)
    with sqlite3.connect(db) as base:
        base.execute("UPDATE claims SET value = 0, low = -1, high = 1 WHERE what LIKE 'share%'")
    quick = place.claims(item, "--db", db, "--markdown", str(page))
    text = page.read_text(encoding="utf-8")
    return (all(claim["quick"] is None for claim in full) and quick[0]["full"]["value"] == 0
            and quick[1]["full"]["value"] == full[1]["value"] and quick[0]["full"]["verdict"] == "undecided"
            and "## Quick against full" in text and "2 were measured in full too, and 1 have" in text
            and f"| `{item}` | 1 |" in text and f"| `{item}` | 2 |" not in text)


def rounds_are_replications(place):
    """Rounds of mixed jobs are counted, and a full run does not take those of a quick one."""
    place.clear()
    place.generate("KTH-SP2-1996-2.1-cln.swf", jobs=500)
    db, item = str(place.folder / "rounds.db"), "zakay2017/ch3-figure-2"
    counts = [{claim["replications"] for claim in place.claims(item, mode, "--db", db)} for mode in ("--quick", "--full")]
    return counts == [{50}, {1000}]


def refused(place, words, code, text):
    run = subprocess.run([*place.command(*words)], capture_output=True, text=True, check=False)
    return run.returncode == code and text in run.stderr


def errors(place):
    """Words and databases that cannot be meant."""
    place.clear()
    garbage, other, torn = (place.folder / name for name in ("garbage.db", "other.db", "torn.db"))
    garbage.write_bytes(b"no database " * 100)
    for path in (other, torn):
        place.claims("feitelson2002/figure-4", "--db", str(path))
    with sqlite3.connect(other) as base:
        base.execute("PRAGMA user_version = 7")
    torn.write_bytes(torn.read_bytes()[:5000])
    item = "feitelson2002/figure-4"
    return (refused(place, ["feitelson2002/figur-4"], 2, "did you mean 'feitelson2002/figure-4'")
            and refused(place, [item, "--db", str(garbage)], 1, "file is not a database")
            and refused(place, [item, "--db", str(other)], 1, "of this version; name a new file")
            and refused(place, [item, "--db", str(torn)], 1, "malformed")
            and refused(place, [item, "--quick", "--full"], 2, "exclude each other"))


def no_logs(place):
    """A directory without logs of the items is said; without need of logs nothing is."""
    place.clear()
    words = place.command("feitelson2002/table-2", "zakay2017/ch6-figure-6")[:-1]
    run = subprocess.run(words, capture_output=True, text=True, check=True)
    other = subprocess.run([*place.command("zakay2017/ch6-figure-6")[:-1]], capture_output=True, text=True, check=True)
    return "no log of these items is in" in run.stderr and "no log" not in other.stderr


def a_user_who_is_not_there(place):
    """A claim about a user whom the log does not have is not possible; the run goes on."""
    place.clear()
    place.generate("SDSC-SP2-1998-4.swf", jobs=500)
    claims = place.claims("zakay2017/ch3-figure-14", "feitelson2002/figure-4")
    missing = [claim for claim in claims if claim["verdict"] == "not possible"]
    return len(claims) == 4 and len(missing) == 2 and all("no user 374" in claim["reason"] for claim in missing)


CASES = [
    ("a log not at hand is named", not_at_hand),
    ("a file with a name of the archive is measured", by_name),
    ("a renamed file is found by its header", by_header),
    ("each line of a quick run says how many replications it has of how many", quick_is_said),
    ("a killed run continues, with the same numbers", continues),
    ("a changed program does not take numbers of another", changed_program),
    ("what is no number gets no verdict", without_number),
    ("an item's whole name stands for this item alone", whole_name),
    ("the line of an item counts claims that are not possible", impossible_claims),
    ("Ctrl-C stops between claims, and the same command continues", interrupted),
    ("a page sets quick against full", quick_against_full),
    ("rounds of mixed jobs are replications", rounds_are_replications),
    ("wrong names and databases are refused with a remedy", errors),
    ("a directory without logs is said", no_logs),
    ("a user who is not in the log leaves other claims possible", a_user_who_is_not_there),
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
