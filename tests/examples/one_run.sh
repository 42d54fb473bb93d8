#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# One run through the library gives what the command gives.

# shellcheck disable=SC1091
. "$CLI_TESTS/../cli/session.inc"
# shellcheck disable=SC1091
. "$CLI_TESTS/log.inc"

# rounded KEY: a value of the command's JSON, with two decimals.
rounded() {
    sed -n "s/^ *\"$1\": \([0-9.]*\),*\$/\1/p" run.json | head -1 | xargs printf '%.2f\n'
}

session <<'SESSION'
one_run log.swf
workloom simulate log.swf -s easy --json -q >run.json
rounded wait_mean_s
rounded bounded_slowdown_mean
rounded utilization
one_run
one_run none.swf
echo '1 2 x' >bad.swf && one_run bad.swf
SESSION
