#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The sample log from end to end. Its jobs are drawn with the C library's mathematics, so nothing here
# depends on how many there are of a kind: the accounts must add up.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

"$SAMPLE_LOG" log.swf 5000

count() {
    jobs_of "$@" | wc -l
}

# The first row of a report less all rows in between must be the last.
adds_up() {
    awk 'NR == 3 { left = $1 } NR > 3 && /kept$/ { exit left != $1 } NR > 3 { left += $1 }' &&
        echo 'adds up'
}

session <<'END'
COLUMNS=300 workloom clean log.swf clean.swf --dropped dropped.swf --flurries auto --admin >report
tr -d , <report | adds_up
grep -q ' unrun  *never ran' report
grep -q ' admin  *automated short jobs of user 41' report
test $(count clean.swf) = $(tr -d , <report | awk '/kept$/ { print $1 }')
test $(count log.swf) = $(($(count clean.swf) + $(count dropped.swf)))
cmp <(jobs_of log.swf | sort) <(jobs_of clean.swf dropped.swf | sort)
workloom info clean.swf --json | grep -q "\"jobs\": $(count clean.swf),"
workloom convert log.swf week.swf --from-time 2003-01-06 --to-time 2003-01-13 -q
jobs_of week.swf | awk '$2 < 5 * 86400 || $2 >= 12 * 86400'
cmp <(jobs_of week.swf) <(jobs_of log.swf | awk '$2 >= 5 * 86400 && $2 < 12 * 86400')
workloom convert clean.swf clean.json -q
workloom convert clean.json back.swf.gz -q
cmp <(jobs_of clean.swf) <(gzip -dc back.swf.gz | jobs_of)
"$SAMPLE_LOG" demo.swf
workloom validate -q demo.swf
workloom replay demo.swf --json -q | sed -n 's/^  "rank_correlation": //p' | awk '{ exit !($1 > 0.9) }'
workloom analyze -q demo.swf --html report.html
grep -o 'No sign of long-range dependence' report.html
rm demo.swf report.html
ls -A
END
