#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""run.py WORKLOOM SAMPLE_LOG FAILIO KILLS: experiments that must not depend on how they are run. Speaks TAP.

The same results from one thread, two threads, shards and MPI processes; a process killed at any of
KILLS random moments leaves a sound database, and the finished experiment equals an undisturbed one; a
full disk, a read-only database, and one of another plan or version are refused and left as they were.
"""

import hashlib
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

workloom, sample_log, failio = (os.path.realpath(argument) for argument in sys.argv[1:4])
kills = int(sys.argv[4])
scratch = pathlib.Path(tempfile.mkdtemp(prefix="workloom-experiment."))
os.chdir(scratch)
os.environ.pop("SLURM_ARRAY_TASK_ID", None)

PLAN = ["--trace", "log.swf", "-s", "easy", "-s", "fcfs", "--resample", "--weeks", "3", "--load", "0.6,0.9",
        "--replications", "12", "-q"]
cases = 0
failures = 0


def case(name, ok, detail=""):
    global cases, failures
    cases += 1
    failures += not ok
    print(f"{'ok' if ok else 'not ok'} {cases} - {name}", flush=True)
    if not ok:
        print("# " + str(detail).replace("\n", "\n# "), flush=True)


def skip(name, why):
    global cases
    cases += 1
    print(f"ok {cases} - {name} # SKIP {why}", flush=True)


def run(*words, launcher=(), **more):
    return subprocess.run([*launcher, workloom, "experiment", *words], capture_output=True, text=True, check=False,
                          **more)


def must(*words, **more):
    done = run(*words, **more)
    if done.returncode != 0:
        raise SystemExit(f"Bail out! {words}: {done.stderr}")
    return done


def rows(path):
    """The view results, to the last digit."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        cursor = db.execute("SELECT * FROM results")
        names = [column[0] for column in cursor.description]
        return [names] + [[repr(value) for value in row] for row in cursor]


def class_rows(path):
    """The view class_results, to the last digit."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        return [[repr(value) for value in row] for row in db.execute("SELECT * FROM class_results")]


def query(path, sql):
    with sqlite3.connect(path) as db:
        return db.execute(sql).fetchall()


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def mpi_launcher():
    version = subprocess.run([workloom, "--version"], capture_output=True, text=True, check=True).stdout
    if "MPI off" in version:
        return None, "this build has no MPI"
    if not shutil.which("mpirun"):
        return None, "there is no mpirun"
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return ["mpirun", *root, "--oversubscribe", "-n", "3"], ""


# ---- one result ----------------------------------------------------------------------------------------

def same_results():
    must("run", *PLAN, "--threads", "1", "--db", "one.db")
    expected = rows("one.db")
    case("all runs are there", len(expected) == 1 + 4 * 12, len(expected))
    must("run", *PLAN, "--threads", "2", "--db", "two.db")
    case("two threads give the same results", rows("two.db") == expected)
    for shard in range(1, 5):
        must("run", *PLAN, "--shard", f"{shard}/4", "--db", f"shard-{shard}.db")
    parts = [f"shard-{shard}.db" for shard in range(1, 5)]
    counts = [query(part, "SELECT count(*) FROM runs")[0][0] for part in parts]
    case("shards share the runs", sum(counts) == 48 and min(counts) > 0, counts)
    must("merge", *parts, "-o", "merged.db")
    case("four merged shards give the same results", rows("merged.db") == expected)
    must("merge", "merged.db", *parts, "-o", "again.db")
    case("merging twice changes nothing", rows("again.db") == expected)
    must("merge", *parts, "-o", "again.db")
    case("a database is replaced by one with the same results", rows("again.db") == expected)
    launcher, why = mpi_launcher()
    if launcher:
        must("run", *PLAN, "--db", "mpi.db", launcher=launcher)
        case("three MPI processes give the same results", rows("mpi.db") == expected)
    else:
        skip("three MPI processes give the same results", why)
    return expected


MIXED = """
trace: log.swf
replications: 5
scheduler: [easy, easy-sjbf]
cells:
  - resample: true
    weeks: 3
    load: 0.8
    predictor: [none, recent2, minh2010]
    correction: incremental
    by: size
  - resample: true
    weeks: 3
    preset: zakay-ch5
  - estimates: [exact, 'uniform:2']
    shuffle: joint
  - model: lublin2003
    trace: none
    jobs: 300
    load: 0.7
"""


def mixed_results():
    """Predictors, users who react, changed jobs and a model, which have state of their own."""
    pathlib.Path("mixed.yaml").write_text(MIXED, encoding="utf-8")
    words = ["mixed.yaml", "-q"]
    must("run", *words, "--threads", "1", "--db", "mixed-1.db")
    expected = rows("mixed-1.db")
    classes = class_rows("mixed-1.db")
    case("a plan by size has classes", len(classes) > 2 * 5 * 3 * 2, len(classes))
    case("a plan of all kinds of sources has all runs", len(expected) == 1 + 2 * 5 * 7, len(expected))
    must("run", *words, "--threads", "2", "--db", "mixed-2.db")
    case("two threads give the same results of all kinds",
         rows("mixed-2.db") == expected and class_rows("mixed-2.db") == classes)
    for shard in range(1, 4):
        must("run", *words, "--shard", f"{shard}/3", "--db", f"mixed-shard-{shard}.db")
    must("merge", *[f"mixed-shard-{shard}.db" for shard in range(1, 4)], "-o", "mixed-merged.db")
    case("three merged shards do", rows("mixed-merged.db") == expected and class_rows("mixed-merged.db") == classes)
    launcher, why = mpi_launcher()
    if launcher:
        must("run", *words, "--db", "mixed-mpi.db", launcher=launcher)
        case("three MPI processes do", rows("mixed-mpi.db") == expected and class_rows("mixed-mpi.db") == classes)
    else:
        skip("three MPI processes do", why)


def only_what_is_missing(expected):
    shutil.copy("one.db", "more.db")
    before = query("more.db", "SELECT run, hash, seconds FROM runs ORDER BY run")
    must("run", *PLAN, "-s", "conservative", "--db", "more.db")
    after = query("more.db", "SELECT run, hash, seconds FROM runs ORDER BY run")
    case("a policy that is added costs its own runs alone", after[:48] == before and len(after) == 72, len(after))
    kept = [row for row in rows("more.db") if row[2] != "'conservative'"]
    case("and leaves the others as they were", kept == expected)
    workloads = query("more.db", "SELECT count(DISTINCT load_offered || jobs) FROM results GROUP BY load, replication")
    case("all policies of a replication have the same jobs", all(n == (1,) for n in workloads), workloads)


# ---- killed --------------------------------------------------------------------------------------------

def kill_at(path, moment, launcher):
    """Start the experiment and kill all of it after so many seconds; False where it was through before."""
    words = [*launcher, workloom, "experiment", "run", *PLAN, "--threads", "2", "--db", path]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as child:
        try:
            child.wait(moment)
            return False
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return True


def sound(path):
    """Whether there is no database yet, or a sound one without half a run."""
    if not os.path.exists(path):
        return True
    if query(path, "PRAGMA integrity_check") != [("ok",)]:
        return False
    if not query(path, "SELECT 1 FROM sqlite_schema WHERE name = 'runs'"):
        return True
    return query(path, "SELECT count(*) FROM runs WHERE status = 'done' AND (SELECT count(*) FROM metrics WHERE run = "
                       "runs.run) < 20") == [(0,)]


def wait_for_orphans(path):
    """Processes that mpirun started may outlive it by a moment; none holds the database then."""
    for _ in range(200):
        try:
            with sqlite3.connect(path, timeout=0.1) as db:
                db.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError:
            time.sleep(0.05)


def killed(expected, name, launcher, n):
    began = time.monotonic()
    must("run", *PLAN, "--threads", "2", "--db", "timed.db", launcher=launcher)
    length = time.monotonic() - began
    os.unlink("timed.db")
    draw = random.Random(18)
    bad = []
    tries = hit = 0
    # How long a run takes depends on what else the machine does: moments follow it.
    while hit < n and tries < 4 * n:
        i = tries
        path = f"killed-{i}.db"
        moment = draw.uniform(0.01, length)
        if kill_at(path, moment, launcher):
            hit += 1
            length *= 1.02
        else:
            length = max(0.02, moment)
        tries += 1
        if os.path.exists(path):
            wait_for_orphans(path)
        if not sound(path):
            bad.append((i, "not sound"))
        must("run", *PLAN, "--threads", "2", "--db", path)
        if rows(path) != expected:
            bad.append((i, "other results"))
        for left in scratch.glob(f"killed-{i}.db*"):
            left.unlink()
    print(f"# {hit} of {tries} kills came before the end", flush=True)
    case(f"killed at {n} moments, {name}", not bad and hit == n, (hit, bad))


# ---- refused -------------------------------------------------------------------------------------------

def refused(name, words, reason, path, **more):
    refused_command(name, ["run", *words, "--db", path], reason, path, **more)


def refused_command(name, words, reason, path, **more):
    before = digest(path)
    done = run(*words, **more)
    lines = done.stderr.strip().splitlines()
    case(f"{name} is refused", done.returncode in (1, 2) and len(lines) == 1 and reason in lines[0], done.stderr)
    case(f"{name} is not damaged", digest(path) == before)


def refusals():
    shutil.copy("one.db", "other.db")
    refused("a database of another plan", ["--trace", "log.swf", "-s", "easy", "-q"], "another plan", "other.db")
    refused("a database of another seed", [*PLAN, "--seed", "77"], "(this plan: 77)", "other.db")
    with sqlite3.connect("other.db") as db:
        db.execute("UPDATE provenance SET version = '0.0.1'")
    query("other.db", "PRAGMA wal_checkpoint(TRUNCATE)")
    refused("a database of another version", PLAN, "0.0.1", "other.db")
    with sqlite3.connect("foreign.db") as db:
        db.execute("CREATE TABLE mine(x)")
    db.close()
    refused("a database of another program", PLAN, "no experiment database", "foreign.db")
    pathlib.Path("text.db").write_text("this is no database, however long it may be\n" * 100, encoding="utf-8")
    refused("a file that is no database", PLAN, "no experiment database", "text.db")
    refused_command("a merge that would lose results", ["merge", "shard-1.db", "-o", "again.db"],
                    "results that the merged databases lack; name another file", "again.db")
    refused_command("a merge onto another file", ["merge", "shard-1.db", "-o", "text.db"],
                    "no experiment database", "text.db")
    read_only()
    full_disk()
    no_memory()


def read_only():
    if os.geteuid() == 0 and not shutil.which("setpriv"):
        skip("a read-only database is refused", "root can write everything")
        return
    folder = scratch / "locked"
    folder.mkdir()
    query("one.db", "PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy("one.db", folder / "one.db")
    os.chmod(folder / "one.db", 0o444)
    os.chmod(folder, 0o555)
    os.chmod(scratch, 0o755)
    user = ["setpriv", "--reuid", "65534", "--clear-groups"] if os.geteuid() == 0 else []
    refused("a read-only database", [*PLAN, "-s", "conservative"], "read-only", "locked/one.db", launcher=user)
    done = run("status", "locked/one.db", launcher=user)
    case("a read-only database can be read", done.returncode == 0, done.stderr)
    os.chmod(folder, 0o755)


def full_disk():
    """Writes fail from the N-th on, as on a full disk; with room again, the experiment goes on."""
    bad = []
    for at in (3, 40, 60, 80, 120, 200):
        path = f"full-{at}.db"
        environment = dict(os.environ, LD_PRELOAD=failio, LOOM_FAIL_AT=str(at), LOOM_FAIL_ON="1")
        done = run("run", *PLAN, "--threads", "1", "--db", path, env=environment)
        if done.returncode == 0 or len(done.stderr.strip().splitlines()) != 1:
            bad.append((at, done.returncode, done.stderr))
        if not sound(path):
            bad.append((at, "not sound"))
        must("run", *PLAN, "--db", path)
        if rows(path) != rows("one.db"):
            bad.append((at, "other results"))
    case("a full disk ends an experiment, which goes on later", not bad, bad)


def no_memory():
    """Every request for memory fails once while a plan is loaded; its database cannot be opened, so nothing runs."""
    library = os.path.join(os.path.dirname(failio), "libfailmalloc.so")
    words = ["run", "--trace", "small.swf", "--resample", "--mix", "small.swf", "--long-term-weeks", "0", "--edge-weeks",
             "0", "--by", "size", "--threads", "1", "--db", "missing/study.db"]
    pathlib.Path("small.swf").write_text("; MaxProcs: 8\n" + "".join(
        f"{i} {i * 40000} 0 60 1 -1 -1 1 600 -1 1 {i % 3 + 1} 1 1 1 1 -1 -1\n" for i in range(1, 41)), encoding="utf-8")
    bad = []
    at, failed = 0, 1
    while failed and at < 5000 and len(bad) < 5:
        at += 1
        done = run(*words, env=dict(os.environ, LD_PRELOAD=library, LOOM_FAIL_AT=str(at), LOOM_FAIL_REPORT="requests"))
        if done.returncode not in (1, 2) or len(done.stderr.strip().splitlines()) != 1:
            bad.append((at, done.returncode, done.stderr))
        failed = int(pathlib.Path("requests").read_text(encoding="utf-8").split()[1])
    case("memory that runs out while a plan is loaded is one sentence", not bad and at > 100, (at, bad))


# ---- while it runs -------------------------------------------------------------------------------------

def interrupted(expected):
    with subprocess.Popen([workloom, "experiment", "run", *[word for word in PLAN if word != "-q"], "--threads", "1",
                           "--db", "stopped.db"], stderr=subprocess.PIPE, text=True) as child:
        seen = 0
        while seen == 0 and child.poll() is None:
            status = run("status", "stopped.db", "--json")
            if status.returncode == 0:
                seen = int(status.stdout.split('"done": ')[1].split(",")[0])
        child.send_signal(signal.SIGINT)
        message = child.communicate()[1]
    case("status reads a database that is being written", seen > 0)
    case("Ctrl-C ends the experiment and says how to go on",
         "goes on" in message or "results are in" in message, message)
    must("run", *PLAN, "--db", "stopped.db")
    case("and it goes on", rows("stopped.db") == expected)


def failed_runs():
    words = ["run", "--trace", "log.swf", "--resample", "--weeks", "3", "-n", "2", "-q", "--db", "failing.db", "--warm-up",
             "2"]
    must(*words)
    words += ["--warm-up", "1000000"]
    done = run(*words)
    counts = query("failing.db", "SELECT status, count(*) FROM runs GROUP BY status ORDER BY status")
    message = query("failing.db", "SELECT message FROM runs WHERE status = 'failed'")
    case("failed runs are kept with their message, and others go on",
         counts == [("done", 2), ("failed", 2)] and "warm-up" in message[0][0], (counts, message, done.stderr))
    sql = "SELECT max(seconds) FROM runs WHERE status = 'failed'"
    before = query("failing.db", sql)
    run(*words)
    case("and not run again", query("failing.db", sql) == before)
    run(*words, "--retry-failed")
    case("unless asked to", query("failing.db", sql) != before)


def main():
    subprocess.run([sample_log, "log.swf"], stdout=subprocess.DEVNULL, check=True)
    expected = same_results()
    mixed_results()
    only_what_is_missing(expected)
    refusals()
    interrupted(expected)
    failed_runs()
    killed(expected, "threads", [], kills)
    launcher, why = mpi_launcher()
    if launcher:
        killed(expected, "MPI", launcher, kills)
    else:
        skip("killed, MPI", why)
    print(f"1..{cases}")


try:
    main()
finally:
    shutil.rmtree(scratch, ignore_errors=True)
sys.exit(failures > 0)
