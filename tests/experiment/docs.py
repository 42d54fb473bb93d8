#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs.py WORKLOOM SAMPLE_LOG EXPERIMENTS.md: the page on experiments says what is so. Speaks TAP.

Every key of a plan is in the page and every key in its table exists; the plans in it can be run; the
Python and R in it run, where pandas and R are installed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

workloom, sample_log, page = (os.path.realpath(argument) for argument in sys.argv[1:4])
text = pathlib.Path(page).read_text(encoding="utf-8")
scratch = tempfile.mkdtemp(prefix="workloom-docs.")
os.chdir(scratch)
os.environ["PATH"] = os.path.dirname(workloom) + ":" + os.environ["PATH"]
cases = 0
failures = 0


def case(name, ok, detail=""):
    global cases, failures
    cases += 1
    failures += not ok
    print(f"{'ok' if ok else 'not ok'} {cases} - {name}")
    if not ok:
        print("# " + str(detail).strip().replace("\n", "\n# "))


def skip(name, why):
    global cases
    cases += 1
    print(f"ok {cases} - {name} # SKIP {why}")


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, check=False, **more)


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def check_keys():
    known = set(re.findall(r"^  (?:-\w, )?--([a-z-]+)", run(workloom, "help", "--all", "experiment", "run").stdout,
                           re.MULTILINE))
    known -= {"db", "shard", "dry-run", "retry-failed", "wide", "json", "threads", "quiet", "help", "until", "metric",
              "round", "confidence"}
    known.add("cells")
    table = text[text.index("| keys | meaning |"):text.index("## Random numbers")]
    named = set()
    for row in table.splitlines()[2:]:
        if row.startswith("|"):
            named.update(re.findall(r"`([a-z-]+)`", row.split("|")[1]))
    case("every key is in the page", not known - named, known - named)
    case("every key in the page exists", not named - known, named - known)


def check_plans():
    for i, plan in enumerate(blocks("yaml")):
        name = f"plan-{i}.yaml"
        pathlib.Path(name).write_text(plan, encoding="utf-8")
        done = run(workloom, "experiment", "run", name, "--replications", "3", "-q", "--db", f"plan-{i}.db")
        case(f"plan {i + 1} of the page runs", done.returncode == 0 and not done.stderr, done.stderr)
    shutil.copy("plan-0.db", "study.db")


def check_programs():
    if run("/usr/bin/python3", "-c", "import pandas").returncode != 0:
        skip("the Python of the page runs", "pandas is not installed")
    else:
        done = run("/usr/bin/python3", "-W", "ignore", "-", input="".join(blocks("python")))
        case("the Python of the page runs", done.returncode == 0 and "conservative" in done.stdout, done.stderr)
    if not shutil.which("Rscript"):
        skip("the R of the page runs", "R is not installed")
    else:
        done = run("Rscript", "--vanilla", "-", input="".join(blocks("r")))
        case("the R of the page runs", done.returncode == 0 and "conf.level" in done.stdout, done.stderr + done.stdout)


try:
    subprocess.run([sample_log, "log.swf"], stdout=subprocess.DEVNULL, check=True)
    check_keys()
    check_plans()
    check_programs()
    print(f"1..{cases}")
finally:
    shutil.rmtree(scratch, ignore_errors=True)
sys.exit(failures > 0)
