#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# plans.sh WORKLOOM SAMPLE_LOG PLANS: run every example plan, small, on the sample log. Speaks TAP.
#
# Each plan must have under 40 lines, and all of its runs must succeed.

set -uo pipefail
workloom=$(realpath "$1")
sample_log=$(realpath "$2")
plans=$(realpath "$3")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/workloom-plans.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

"$sample_log" all.swf >/dev/null && "$workloom" clean all.swf log.swf -q >/dev/null || exit 1
for arrivals in poisson mwm mmwm; do
    "$workloom" fit "uniform:arrivals=$arrivals" log.swf -q -o "local-$arrivals.json" || exit 1
done

# Words that make a plan small.
small() {
    case $1 in
        zakay3-variants) echo "" ;;
        zakay3-flurries) echo "--weeks 2 --rare 3::" ;;
        zakay* | predictors) echo "--weeks 2" ;;
        minh5-model) echo "--first 2000" ;;
        *) echo "--jobs 300" ;;
    esac
}

n=0
failed=0
for plan in "$plans"/*.yaml; do
    name=$(basename "$plan" .yaml)
    n=$((n + 1))
    read -r -a words < <(small "$name")
    output=$("$workloom" experiment run "$plan" --trace log.swf --replications 2 "${words[@]}" --db "$name.db" -q 2>&1)
    code=$?
    lines=$(wc -l <"$plan")
    rows=$("$workloom" experiment report "$name.db" --csv - 2>/dev/null | wc -l)
    if [ $code = 0 ] && [ -z "$output" ] && [ "$lines" -lt 40 ] && [ "$rows" -gt 2 ]; then
        echo "ok $n - $name"
    else
        echo "not ok $n - $name"
        echo "# exit $code, $lines lines, $rows rows: $output"
        failed=1
    fi
done
echo "1..$n"
exit $failed
