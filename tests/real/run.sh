#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run.sh WORKLOOM: read and rewrite the real logs in $WORKLOOM_TRACES (plain or gzip SWF of the Parallel
# Workloads Archive) and compare with what awk makes of the same files. Speaks TAP; skipped where
# there are no logs.

set -uo pipefail

# shellcheck source=tests/traces.inc
. "$(dirname "$0")/../traces.inc"
workloom=$(realpath "${1:?usage: run.sh WORKLOOM}")
shopt -s nullglob
logs=("$WORKLOOM_TRACES"/*.swf.gz)
if [ ${#logs[@]} = 0 ]; then
    echo "1..0 # SKIP no .swf.gz files in $WORKLOOM_TRACES (WORKLOOM_TRACES names the folder)"
    exit 0
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/workloom-real.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
number=0
status=0

# check OUTCOME WHAT
check() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        status=1
    fi
}

# The 18 values of every job, one line a job, as numbers.
values() {
    awk '!/^[ \t]*;/ && NF { for (i = 1; i <= 18; i++) printf "%.10g%s", $i, i < 18 ? " " : "\n" }'
}

echo "1..$((3 * ${#logs[@]}))"
for log in "${logs[@]}"; do
    name=$(basename "$log")
    gzip -dc "$log" | values > "$scratch/wanted"
    jobs=$("$workloom" info --json "$log" | sed -n 's/^ *"jobs": \([0-9]*\),$/\1/p' | head -n 1)
    [ "$jobs" = "$(wc -l < "$scratch/wanted")" ]
    check $? "$name: every job is read"
    "$workloom" convert -q "$log" "$scratch/out.swf" && values < "$scratch/out.swf" > "$scratch/got" &&
        cmp -s "$scratch/wanted" "$scratch/got"
    check $? "$name: rewritten with the same values"
    gzip -dc "$log" | grep '^;' > "$scratch/header"
    grep '^;' "$scratch/out.swf" | sed '$d' | cmp -s - "$scratch/header"
    check $? "$name: the header is kept, with one line added"
done
exit $status
