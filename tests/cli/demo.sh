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

session <<'END'
outline
ls workloom-demo
rm -r workloom-demo
demo 'my logs/toy.swf'
jobs_of workloom-demo/week.swf
outline no-start.swf
cd full && outline | sed 's/demo\.[^/]*/demo.X/g'
demo missing.swf
END
