#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Taking a part of a log: each way to say which jobs, alone and together.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

toy_log >toy.swf

# Which jobs are selected, by number.
selected() {
    workloom convert toy.swf - -q "$@" | jobs_of | cut -d ' ' -f 1 | paste -s -d ' '
}

session <<'END'
selected
selected --select all
selected --select ran
selected --select completed
selected --users ann
selected --users 3,5
selected --users 4-5
selected --users '!ann'
selected --users 'a*'
selected --users '!a*,b*'
selected --users 'x*'
selected --users '!x*'
selected --users 3-5,'!bob'
selected --users ann --users bob
selected --queues batch
selected --queues 0
selected --procs 2:4
selected --job-procs 2:4
selected --procs 8:
selected --procs :2
selected --job-procs 16
selected --from-time 86400
selected --to-time 86400
selected --from-time 2003-03-04 --to-time 2003-03-05
selected --from-time 2003-03-04T00:30 --to-time 2003-03-10
selected --to-time 2003-03-10T00:00:01
selected --first 3
selected --select ran --queues batch --from-time 2003-03-03 --first 1
selected --users 99
workloom convert toy.swf none.swf --users 99
jobs_of none.swf
END
