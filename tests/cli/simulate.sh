#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Simulating a small log: results as text and JSON, the schedule, and what is refused.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

# job submit wait run procs cpu mem procs request mem status user ...
cat >log.swf <<'END'
; MaxProcs: 4
1  0 -1 10 3 -1 -1 3 10 -1 1 1 1 -1 1 -1 -1 -1
2  1 -1  5 4 -1 -1 4  5 -1 1 2 1 -1 1 -1 -1 -1
3  2 -1  5 1 -1 -1 1  5 -1 1 1 1 -1 1 -1 -1 -1
4  2 -1  5 8 -1 -1 8  5 -1 1 1 1 -1 1 -1 -1 -1
5  3 -1 -1 1 -1 -1 1  5 -1 1 1 1 -1 1 -1 -1 -1
6  4 -1  8 1 -1 -1 1  2 -1 1 1 1 -1 1 -1 -1 -1
END
sed 1d log.swf >bare.swf
sed 's/^\([0-9]* *[0-9]* *-1\) *-*[0-9]*/\1 -1/' log.swf >unrun.swf

starts() {
    awk '!/^;/ { printf "%s%d:%s", sep, $1, $3 < 0 ? "-" : $2 + $3; sep = " " } END { print "" }' "$@"
}

session <<'END'
workloom simulate log.swf --first 1 2>&1 >/dev/null
workloom simulate log.swf
workloom simulate log.swf -q --json --scheduler fcfs
workloom simulate log.swf -q --by size | sed '1,/^$/d'
workloom simulate log.swf -q --by user | sed '1,/^$/d'
workloom simulate log.swf --by queue | tail -4
workloom simulate log.swf -q --by runtime --json | sed -n '/classes/,$p'
workloom simulate log.swf -q --by colour
workloom simulate log.swf --load 0.5 --load-by arrivals 2>&1 | grep load
workloom simulate log.swf --load 3 --load-by size 2>&1 | grep load
workloom simulate log.swf -q --load 0.5 --load-by runtimes --json | sed -n '/"load"/,/}/p'
workloom simulate log.swf -q --load 2 --load-by runtimes -o - | grep 'Note: load'
workloom simulate log.swf --load 8 --load-by size
workloom simulate log.swf --load 0.3 --load-by size --procs 1 2>&1 | grep load
workloom simulate log.swf --load 6 --load-by size --procs 3
workloom simulate log.swf -s selective:threshold=2,categories=runtime
workloom simulate log.swf --load 0
workloom simulate log.swf --load-by size
workloom simulate log.swf -q --warm-up 1 --cool-down 1 | sed -n 3,5p
workloom simulate log.swf -q --warm-up 1d
workloom simulate log.swf -q --warm-up soon
workloom simulate log.swf -q -s fcfs -o fcfs.swf >/dev/null; starts fcfs.swf
workloom simulate log.swf -q -s easy -o - | starts
workloom simulate log.swf -q -s easy --overrun kill -o - | starts
workloom simulate log.swf -q -s easy --overrun extend -o - | starts
workloom simulate log.swf -q -s easy:order=sjf -o - | starts
workloom simulate log.swf -q -s easy --param order=sjf -o - | starts
workloom simulate log.swf -q --compat pyss -o - | starts
workloom simulate log.swf -q --procs 8 -o - | starts
workloom simulate log.swf -q --users 1 -o - | starts
workloom simulate bare.swf
workloom simulate bare.swf --procs 4 -q -o - | starts
workloom simulate unrun.swf
workloom simulate log.swf --procs 1 -q --users 2
workloom simulate log.swf --procs 0
workloom simulate log.swf --procs -3
workloom simulate log.swf -s esay
workloom simulate log.swf -s nothing-like-it
workloom simulate log.swf -s easy:oder=sjf
workloom simulate log.swf -s easy:order=sfj
workloom simulate log.swf -s easy:order
workloom simulate log.swf --json -o -
workloom simulate log.swf -o log.swf
workloom simulate log.swf --users 9
ls
awk '!/^;/ { $12 = -1; if ($1 == 1) $5 = 2 } 1' log.swf >nobody.swf; workloom simulate nobody.swf --user-jobs 2
workloom simulate nobody.swf --user-procs 2 -s ups
workloom simulate nobody.swf -s ups 2>&1 >/dev/null
workloom simulate nobody.swf -s all 2>&1 >/dev/null | grep user
workloom simulate nobody.swf -q -o - | awk '!/^;/ { print $1, $3, $5, $8 }'
END
