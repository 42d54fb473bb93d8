#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tour that `make demo` gives: on its own log, on one that is given, and where it cannot write.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

build=$(dirname "$(realpath "$(command -v workloom)")")

demo() {
    "$CLI_TESTS/../../tools/demo" "$build" "$@" | sed -e "s|$build|BUILD|" -e "s|$TMPDIR|TMP|g"
    return "${PIPESTATUS[0]}"
}

# What the tour says and runs, without what the commands print.
outline() {
    demo "$@" | grep -e '^[0-9]*\. ' -e '^\$ '
    return "${PIPESTATUS[0]}"
}

mkdir 'my logs' full
toy_log >'my logs/toy.swf'
sed '/UnixStartTime/d' 'my logs/toy.swf' >no-start.swf
touch full/workloom-demo
"$SAMPLE_LOG" sample.swf 1500 >/dev/null
awk '/^; MaxProcs/ {next} !/^;/ {$12 = -1} {print}' sample.swf >nobody.swf
printf '%s|%s|2020-01-01T00:00:00|2020-01-01T00:01:00|2020-01-01T00:02:00|COMPLETED|1\n' 1 ann 2 bob >dump.txt

session <<'END'
outline
ls workloom-demo
rm -r workloom-demo; mkdir workloom-demo; touch workloom-demo/log.swf
demo 'my logs/toy.swf'
test -e workloom-demo/log.swf || echo no log.swf
jobs_of workloom-demo/week.swf
outline no-start.swf
cd full && outline | sed 's/demo\.[^/]*/demo.X/g'
demo missing.swf
demo nobody.swf | sed -n '/^7/,$p'
demo dump.txt --from sacct
demo dump.txt --from sacct --columns JobID,User,Submit,Start,End,State,NCPUS | grep -e '^\$ workloom [ic]' -e '^('
END
