#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# naive_easy.sh WORKLOOM NAIVE_EASY SAMPLE_LOG: EASY in plain arrays and 'workloom simulate -s easy' make the
# same mean wait, on a made-up log and on two real ones. Speaks TAP; real logs are skipped where there are none.

set -uo pipefail

# shellcheck source=tests/traces.inc
. "$(dirname "$0")/../traces.inc"
usage="usage: naive_easy.sh WORKLOOM NAIVE_EASY SAMPLE_LOG"
workloom=${1:?$usage} naive=${2:?$usage} sample=${3:?$usage}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/workloom-naive.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
"$sample" "$scratch/sample.swf" 20000 || exit 1
status=0
number=0
echo "1..3"
for log in "$scratch/sample.swf" "$WORKLOOM_TRACES"/{KTH-SP2-1996-2.1-cln,SDSC-SP2-1998-4.2-cln}.swf.gz; do
    number=$((number + 1))
    name=$(basename "$log")
    if [ ! -e "$log" ]; then
        echo "ok $number - $name # SKIP not in $WORKLOOM_TRACES"
        continue
    fi
    wanted=$("$naive" "$log" | sed -n 's/^naive [^ ]* //p')
    got=$("$workloom" simulate -q --json -s easy "$log" | sed -n 's/^ *"wait_mean_s": \(.*\),$/\1/p')
    got=$(printf '%.6f' "$got")
    if [ -n "$wanted" ] && [ "$wanted" = "$got" ]; then
        echo "ok $number - $name: mean wait $got s"
    else
        echo "not ok $number - $name: mean wait $got s, in plain arrays $wanted s"
        status=1
    fi
done
exit $status
