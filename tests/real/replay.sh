#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# replay.sh WORKLOOM SAMPLE_LOG: 'workloom replay' reports the errors that tests/oracle/replay.py finds in the
# schedule that 'workloom simulate -o' writes, on a made-up log and on real ones, to 9 digits; and replaying
# such a schedule finds none. Speaks TAP; real logs are skipped where there are none.

set -uo pipefail

# shellcheck source=tests/traces.inc
. "$(dirname "$0")/../traces.inc"
usage="usage: replay.sh WORKLOOM SAMPLE_LOG"
workloom=$(realpath "${1:?$usage}") sample=${2:?$usage}
oracle=$(dirname "$(realpath "$0")")/../oracle/replay.py
scratch=$(mktemp -d "${TMPDIR:-/tmp}/workloom-replay.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
"$sample" "$scratch/sample.swf" 5000 >/dev/null || exit 1
status=0
number=0

# check OUTCOME WHAT
check() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; status=1; fi
}

# Compare "key value" lines with the first value of each key in a JSON document.
agree() {
    python3 - "$1" "$2" <<'PY'
import json, sys
report = json.load(open(sys.argv[2]))
for line in open(sys.argv[1]):
    key, value = line.split()
    if abs(report[key] - float(value)) > 1e-9 * max(1, abs(float(value))):
        sys.exit(f"{key}: {report[key]} is not {value}")
PY
}

# Print the window of a report, in which jobs are compared.
window() {
    python3 -c 'import json, sys; w = json.load(open(sys.argv[1]))["window"]; print(w["from_s"], w["to_s"])' "$1"
}

echo "1..8"
for log in "$scratch/sample.swf" "$WORKLOOM_TRACES"/{KTH-SP2-1996-2.1-cln,SDSC-SP2-1998-4.2-cln,DAS2-fs1-2003-1}.swf.gz; do
    name=$(basename "$log")
    if [ ! -e "$log" ]; then
        for what in errors schedule; do
            number=$((number + 1))
            echo "ok $number - $name: $what # SKIP not in $WORKLOOM_TRACES"
        done
        continue
    fi
    "$workloom" simulate -q -s easy -o "$scratch/schedule.swf" "$log" >/dev/null &&
        "$workloom" replay -q -s easy --json "$log" >"$scratch/report.json" &&
        window "$scratch/report.json" >"$scratch/window" && read -r from to <"$scratch/window" &&
        "$oracle" "$log" "$scratch/schedule.swf" "$from" "$to" >"$scratch/wanted" &&
        agree "$scratch/wanted" "$scratch/report.json"
    check $? "$name: errors"
    printf 'bias_s 0\nabs_error_mean_s 0\nrank_correlation 1\n' >"$scratch/none"
    "$workloom" replay -q -s easy --json "$scratch/schedule.swf" >"$scratch/report.json" &&
        agree "$scratch/none" "$scratch/report.json"
    check $? "$name: schedule of ours"
done
exit $status
