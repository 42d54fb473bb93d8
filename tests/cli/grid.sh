#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A grid of clusters: platforms by name and from files, local jobs from logs and models, results, and
# what is refused, with its place.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

# job submit wait run procs cpu mem procs request mem status user ...
cat >grid.swf <<'END'
; Partition: 7 old
1  0 -1 10 3 -1 -1 3 10 -1 1 1 1 -1 1 7 -1 -1
2  1 -1  5 4 -1 -1 4  5 -1 1 2 1 -1 1 7 -1 -1
3  2 -1  5 1 -1 -1 1  5 -1 1 1 1 -1 1 7 -1 -1
4  2 -1  5 8 -1 -1 8  5 -1 1 1 1 -1 1 7 -1 -1
5  3 -1 -1 1 -1 -1 1  5 -1 1 1 1 -1 1 7 -1 -1
6  4 -1  8 2 -1 -1 2  2 -1 1 1 1 -1 1 7 -1 -1
END
cat >local.swf <<'END'
; MaxProcs: 4
1  0 -1  6 3 -1 -1 3  6 -1 1 1 1 -1 1 -1 -1 -1
2  1 -1  4 4 -1 -1 4  4 -1 1 2 1 -1 1 -1 -1 -1
3  9 -1  4 9 -1 -1 9  4 -1 1 2 1 -1 1 -1 -1 -1
END
mkdir sub
cp local.swf sub
cat >sub/two.json <<'END'
{
    "workloom_platform": 1,
    "name": "two clusters",
    "grid": {"choose": "first"},
    "clusters": [
        {"name": "small", "procs": 4, "background": "local.swf"},
        {"name": "large", "procs": 6, "scheduler": "fcfs"}
    ]
}
END

workloom generate uniform -q --jobs 300 --procs 32 -o many.swf

starts() {
    awk '!/^;/ { printf "%s%d:%s@%s", sep, $1, $3 < 0 ? "-" : $2 + $3, $16; sep = " " } END { print "" }' "$@"
}

# platform TEXT: a platform file bad.json with this in it, and what simulate says to that.
platform() {
    printf '%s' "$1" >bad.json
    workloom simulate grid.swf -q --platform bad.json
}
cluster() {
    platform "{\"workloom_platform\": 1, \"clusters\": [
{\"name\": \"a\", \"procs\": 4},
$1]}"
}

session <<'END'
workloom list platforms
workloom help grid
workloom simulate grid.swf --platform sub/two.json
workloom simulate grid.swf -q --platform sub/two.json --json | sed -n '/"platform": /,$p'
workloom simulate grid.swf -q --platform sub/two.json -o - | tee schedule.swf | grep Partition; starts schedule.swf
workloom validate -q schedule.swf --procs 10 && echo valid
workloom simulate grid.swf -q --platform sub/two.json --background-output small=small.swf >/dev/null; starts small.swf; grep Conv small.swf
workloom simulate grid.swf -q --platform sub/two.json --background-output large=large.swf
workloom simulate grid.swf -q --platform sub/two.json --background-output all.swf
workloom simulate grid.swf -q --platform sub/two.json --background-output small=sub/local.swf
workloom simulate grid.swf -q --platform sub/two.json --dispatch choose=least-free -o - | starts
workloom simulate grid.swf -q --platform sub/two.json --dispatch choose=random --seed 3 -o - | starts
workloom simulate grid.swf -q --platform sub/two.json --dispatch room=free --dispatch order=sjf -o - | starts
workloom simulate grid.swf -q --platform sub/two.json --scheduler conservative --json | grep '"scheduler"'
workloom simulate grid.swf -q --platform sub/two.json --background large=local.swf --background-load large=0.9 --json | grep -A 3 '"background"'
workloom simulate many.swf -q --platform sub/two.json --background-model small=uniform --background-load 0.4 --json | grep -A 4 '"background"'
workloom simulate grid.swf -q --platform sub/two.json --background-load large=0.4
workloom help das3
workloom help platforms | head -3
workloom simulate many.swf --platform das3 --background-model VU=uniform --background-load 0.5 --load 0.8 2>&1 | grep load
workloom simulate grid.swf -q --platform das3 --by size | tail -5
workloom simulate many.swf -q --platform das3 --background-model uniform --background-load 0.5 --json | sed 1,3d >once; workloom simulate many.swf -q --platform das3 --background-model uniform --background-load 0.5 --json --threads 1 | sed 1,3d | cmp - once
workloom simulate grid.swf --platform das4
workloom simulate grid.swf --platform nowhere.json
workloom simulate grid.swf --platform grid.swf
workloom simulate grid.swf --background local.swf
workloom simulate grid.swf --platform das3 --procs 4
workloom simulate grid.swf --platform das3 --explain 1
workloom simulate grid.swf --platform das3 --compat pyss
workloom simulate grid.swf --platform das3 --gantt 0:10
workloom simulate grid.swf --platform das3 --feedback fluid
workloom simulate grid.swf --platform das3 --users resampled
workloom simulate grid.swf --platform das3 --load 1 --load-by size
workloom simulate grid.swf --platform das3 --background VUU=local.swf
workloom simulate grid.swf --platform das3 --background VU=none.swf
workloom simulate grid.swf --platform das3 --background-model unifrom
workloom simulate grid.swf --platform das3 --background-load 0.5
workloom simulate grid.swf --platform das3 --background local.swf --background-load VU=much
workloom simulate grid.swf --platform das3 --background local.swf --background-load 2 --load 0.5
grep '^1 ' local.swf >one.swf; workloom simulate grid.swf --platform das3 --background VU=one.swf --load 0.5
workloom simulate grid.swf --platform das3 --dispatch choose=best
workloom simulate grid.swf --platform das3 --dispatch chose=first
platform ''
platform '[]'
platform '{"workloom_platform": 2}'
platform '{"clusters": []}'
platform '{"workloom_platform": 1}'
platform '{"workloom_platform": 1, "clusters": []}'
platform '{"workloom_platform": 1, "clusters": {}}'
platform '{"workloom_platform": 1, "workloom_platform": 1}'
platform '{"workloom_platform": 1, "cluster": []}'
platform '{"workloom_platform": 1, "grid": {"choose": "best"}, "clusters": []}'
platform '{"workloom_platform": 1, "grid": {"choose": 1}}'
platform '{"workloom_platform": 1} more'
cluster '{"name": "b", "procs": 4'
cluster '5'
cluster '{"procs": 4}'
cluster '{"name": "b"}'
cluster '{"name": "a", "procs": 4}'
cluster '{"name": "", "procs": 4}'
cluster '{"name": "b", "procs": 0}'
cluster '{"name": "b", "procs": "4"}'
cluster '{"name": "b", "procs": 4, "proc": 4}'
cluster '{"name": "b", "procs": 4, "scheduler": "esay"}'
cluster '{"name": "b", "procs": 4, "scheduler": "easy:order=x"}'
cluster '{"name": "b", "procs": 4, "load": 0.5}'
cluster '{"name": "b", "procs": 4, "background": "local.swf", "load": -1}'
cluster '{"name": "b", "procs": 4, "background": "local.swf", "model": "uniform"}'
cluster '{"name": "b", "procs": 4, "background": "none.swf"}'
cluster '{"name": "b", "procs": 4, "shift_s": 9}'
END
