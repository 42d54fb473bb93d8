#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Traces compared with a reference, and models ranked. Numbers that depend on the C library's
# mathematics are not shown.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

toy_log >log.swf
toy_log | sed 's/ 7200 16 7100.25 / 3600 16 3550 /' >half.swf
toy_log | sed '/^[2-9] /d' >one.swf
: >empty.swf
toy_log | awk '!/^;/ {$12 = -1} {print}' >nobody.swf
toy_log | sed '/^5 /d' >short.swf
"$SAMPLE_LOG" dirty.swf 2000
workloom clean -q dirty.swf sample.swf >clean.txt

# The score of a comparison, and its parts, from JSON.
scores() {
    /usr/bin/env python3 -c '
import json, sys
d = json.load(sys.stdin)
print("score", round(d["score"], 3), "coverage", round(d["coverage"], 3))
print({name: part["scored"] for name, part in d["parts"].items()})
mean = d["features"]["runtime.mean_s"]
print("distance times scale is", round(mean["distance"] * mean["scale"] / (mean["b"] - mean["a"]), 9), "times b - a")
print(sorted(mean), sorted(d["distributions"]["runtime"]))'
}

# What JSON has of each of several traces.
each() {
    /usr/bin/env python3 -c '
import json, sys
d = json.load(sys.stdin)
for t in d["traces"]:
    print(t["file"], t["jobs"], t["span_s"], t["same_length"], round(t["overall"], 3), t["coverage"], len(t["parts"]))
print("coverage", round(d["coverage"], 3), "half above 1", d["overall_half"] > 1)
print(d["features"]["runtime.mean_s"]["b_each"], d["features"]["users"]["b_each"], d["distributions"]["procs"]["b_each"])'
}

# The models of a ranking, best first.
ranks() {
    /usr/bin/env python3 -c '
import json, sys
d = json.load(sys.stdin)
for m in d["models"]:
    print(m["rank"], m["model"], "half" if m["overall_half"] is not None else "no half")
for m in d["not_ranked"]:
    print("not ranked:", m["model"] + ":", m["reason"])'
}

session <<'END'
workloom compare log.swf log.swf | head -14
workloom compare -q log.swf half.swf | grep -E '^(overall|runtime|runtime.mean_s|runtimes|work|jobs|queues) '
workloom compare -q log.swf half.swf half.swf | grep -E '^(feature|runtime.mean_s) '
workloom compare -q log.swf half.swf --wide | grep -E '^(distribution|feature|runtime|runtime.mean_s|work) '
COLUMNS=60 workloom compare -q log.swf half.swf half.swf | grep -E '^(trace|feature|half.swf|\(.*--wide\))'
workloom compare log.swf half.swf log.swf 2>&1 | head -13 | cut -c 1-60
workloom compare log.swf half.swf log.swf 2>&1 >/dev/null
workloom compare -q log.swf half.swf --json | scores
workloom compare -q log.swf half.swf | grep 'daily cycle'
workloom compare log.swf sample.swf --fit log-runtime
workloom compare -q log.swf sample.swf --fit log-work --json | grep -E 'search|"column"'
workloom compare log.swf --fit log-runtime
workloom compare log.swf --fit log-runtime --models uniform
workloom compare -q log.swf half.swf nobody.swf --json | each
workloom compare log.swf short.swf --html short.html 2>&1 | grep short; grep -o 'Not all of these traces' short.html
workloom compare -q log.swf half.swf log.swf --html page.html; grep -o 'B[12]</strong> <span class="variant">[a-z.]*' page.html; grep -o '<th>Trace</th><th>Overall</th>' page.html
workloom compare -q sample.swf --models uniform,bootstrap --replications 2 --resamples 8 --json | ranks
workloom fit -q uniform:arrivals=poisson sample.swf -o mine.json
workloom compare -q sample.swf --models 'mine.json, uniform:arrivals=poisson , bootstrap' --replications 2 --resamples 8 --json | ranks
workloom compare -q sample.swf --models minh2010:delta=60,arrivals=poisson,uniform --models bootstrap --replications 1 --resamples 8 --json | ranks | cut -d" " -f2 | sort
workloom compare -q sample.swf --models bootstrap --replications 1 --resamples 8 --json | ranks
workloom compare -q sample.swf --models uniform --replications 2 --resamples 8 --threads 1 >1
workloom compare -q sample.swf --models uniform --replications 2 --resamples 8 --threads 3 >3
cmp 1 3
workloom compare log.swf one.swf
workloom compare empty.swf log.swf
workloom compare log.swf missing.swf
workloom compare log.swf
workloom compare - -
workloom compare log.swf half.swf --models all
workloom compare log.swf half.swf --replications 3
workloom compare log.swf half.swf --format pdf
workloom compare log.swf --models uniforn
workloom compare log.swf half.swf --load log
workloom compare log.swf --models uniform --load 2
workloom compare -q sample.swf --models uniform --load log --replications 1 --resamples 8 --json | grep -A 2 "\"load.offered\""
workloom compare log.swf --models uniform,uniform
workloom compare log.swf --models all,uniform,uniforn
workloom compare log.swf --models minh2012:varaint=improved
workloom compare log.swf --models minh2012:variant=better
workloom compare log.swf --models bootstrap:delta=1
workloom compare log.swf --models minh2012,variant=improved
workloom compare log.swf --models uniform,,bootstrap
workloom compare log.swf --models missing.json
workloom compare log.swf --models log.swf
workloom compare -q dirty.swf --models uniform --select all --resamples 5
workloom compare log.swf half.swf --resamples 2
END
