#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Features of a log, by prefix, and those that a log without users has not.

# shellcheck disable=SC1091
. "$CLI_TESTS/../cli/session.inc"
# shellcheck disable=SC1091
. "$CLI_TESTS/log.inc"

session <<'SESSION'
features log.swf jobs users runtime. procs.
cmp <(features log.swf | cut -d' ' -f1) <(workloom list features --json | sed -n 's/^ *"name": "\(.*\)",$/\1/p')
awk '!/^;/ { $12 = -1 } { print }' log.swf >nobody.swf
features nobody.swf users user.
features log.swf none.
features
features none.swf
SESSION
