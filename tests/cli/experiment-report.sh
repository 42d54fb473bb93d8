#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What an experiment shows: the answer and its table, JSON, CSV, stopping at a half width, and
# simulate --replications. Figures and pages are looked at by tests/unit/test_report_results.c and
# tests/browser.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

"$SAMPLE_LOG" log.swf
plan='--trace log.swf --resample -s easy -s fcfs --load 0.6,0.8'

# A part of a JSON document, by Python's words.
json() {
    python3 -c "import json, sys; d = json.load(sys.stdin); print($1)"
}

# The same rows, whatever the number of threads.
rows() {
    workloom experiment report "$1" --csv - | sort | cksum
}

# Stop at a half width of 40 %, without the time it took.
until_40() {
    # shellcheck disable=SC2086
    workloom experiment run $plan --replications 200 --until half-width=40% --metric wait_mean_s --db "$@" 2>&1 |
        sed 's/ in [0-9]*:[0-9]*,/ in TIME,/'
}

session <<'END'
workloom experiment run $plan --replications 12 --db study.db -q
workloom experiment report study.db
workloom experiment report study.db --metric wait_mean_s --saturated drop --interval t --wide
workloom experiment report study.db --compare load -m utilization
workloom experiment report study.db --csv runs.csv && head -n 2 runs.csv | cut -d, -f1-8
workloom experiment report study.db --json | json 'list(d)'
workloom experiment report study.db --json | json '[list(c["metrics"]) for c in d["cells"][:1]]'
workloom experiment report study.db --json | json '{k: d["differences"][0][k] for k in ("a", "b", "metric", "n")}'
workloom experiment report study.db --html page.html --figures figures
grep -o '<li>[A-Z][a-z]* beats [a-z]* by' page.html
grep -o '[0-9]* runs in [0-9]* cells' page.html
grep -o '<p class="sub">[^ ]*' page.html; grep -c '<summary>[a-z]' page.html
ls figures | grep csv
workloom experiment run $plan --by size --replications 2 --db classes.db -q
workloom experiment report classes.db --classes --html classes.html -q > /dev/null
grep -o '[0-9]* runs in [0-9]* cells, [0-9]* classes of jobs[^<]*' classes.html
ls study.db*
workloom experiment status study.db -q > /dev/null; ls study.db*
chmod a-w study.db; workloom experiment report study.db -q > /dev/null; ls study.db*; chmod u+w study.db
workloom experiment run --trace log.swf --resample -s easy -s fcfs --load 0.6,0.7 --replications 12 --db study.db -q
gzip -k log.swf; workloom experiment run ${plan/log.swf/log.swf.gz} --replications 12 --db study.db -q && echo same runs
workloom experiment run --trace log.swf --resample -s easy -s fcfs -s conservative --replications 3 --db few.db -q
workloom experiment report few.db
workloom experiment report study.db -m nonsense
workloom experiment report study.db --compare colour
workloom experiment report missing.db
workloom experiment report study.db --html study.db
until_40 a.db
until_40 b.db --threads 1
[ "$(rows a.db)" = "$(rows b.db)" ] && echo same
workloom experiment run $plan --replications 200 --until 5 --db c.db
workloom experiment run $plan --until half-width=5% --shard 1/2 --db c.db
workloom simulate log.swf --users resampled -s easy -s fcfs --replications 10 -m wait_mean_s
workloom simulate log.swf --users resampled -s easy --replications 1
workloom simulate log.swf -s easy --replications 5
workloom simulate log.swf -s easy --level 0.9
workloom convert log.swf week.swf --from-time 2003-01-06 --to-time 2003-01-13 -q
workloom experiment run --trace week.swf --resample -s easy --replications 2 --db week.db -q
workloom experiment status week.db -q
(jobs_of log.swf | head -n 5; echo 6 unreadable) >bad.swf; workloom experiment run --trace bad.swf --procs 128 -s easy
printf 'trace: log.swf\nresample: maybe\n' >maybe.yaml; workloom experiment run maybe.yaml
printf 'trace: log.swf\nscheduler: easy\n\tload: 0.5\n' >tab.yaml; workloom experiment run tab.yaml
workloom experiment run --trace week.swf --resample -s easy --db none.db 2>&1 | head -n 1 | cut -c-40
workloom experiment run --trace log.swf --resample -s easy --until half-width=20% --metric wait_mean_s --db until.db -q && sqlite3 until.db 'SELECT max(replication) + 1 > 10 FROM runs'
END
