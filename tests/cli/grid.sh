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

# The worked example of docs/SEMANTICS.md, and a job that is too wide: job submit run procs estimate
log_of() {
    awk '{ print $1, $2, -1, $3, $4, -1, -1, $4, $5, -1, 1, 1, -1, -1, -1, -1, -1, -1 }'
}
printf '1 0 10 3 10\n2 5 10 4 10\n' | log_of >a.swf
printf '3 1 8 2 8\n4 2 4 2 4\n5 6 20 1 20\n6 7 3 1 3\n7 8 5 9 5\n' | log_of >jobs.swf
cat >worked.json <<'END'
{"workloom_platform": 1,
 "clusters": [{"name": "a", "procs": 4, "background": "a.swf", "shift_s": 0}, {"name": "b", "procs": 2}]}
END
cat >narrow.json <<'END'
{"workloom_platform": 1,
 "clusters": [{"name": "a", "procs": 3, "background": "a.swf"}, {"name": "b", "procs": 2}]}
END
cat >equals.json <<'END'
{"workloom_platform": 1, "clusters": [{"name": "a", "procs": 4}, {"name": "a=b", "procs": 8}]}
END
cat >named.json <<'END'
{"workloom_platform": 1, "clusters": [{"name": "a", "procs": 4, "scheduler": "easy"}]}
END

# The results of three numbers of threads, without the command line, which names them.
compare() {
    local threads
    for threads in 1 2 5; do
        workloom "$@" --threads $threads | sed '/"command": /d' | cksum
    done | uniq -c | awk '{ print $1, "times the same" }'
}

# one_of_several LOAD OPTION...: is a run among several what it is alone?
one_of_several() {
    local load=$1
    shift
    workloom simulate many.swf -q "$@" --load "$load" --json | numbers >alone
    workloom simulate many.swf -q "$@" --load "$load,$load" --load 2.5 --json | numbers | head -n "$(wc -l <alone)" | cmp - alone &&
        wc -l <alone
}

# The numbers of a JSON document, but for those of its first lines.
numbers() {
    grep -E '^ *("[a-z_0-9]+": )?[0-9.e+-]+,?$' | sed 's/^ *//; s/,$//' | grep -v left_out
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
workloom validate -q schedule.swf --policy easy
workloom simulate schedule.swf -q --procs 10 -o - | tee again.swf | grep Note; workloom validate -q again.swf --policy easy --exact | tail -1
workloom simulate many.swf -q --platform das3 --background-model VU=uniform --background-load 0.5 --load 0.8 -o - | grep Note
workloom simulate grid.swf -q --platform das3 --param choose=first
workloom simulate grid.swf -q --platform sub/two.json --background-output small=small.swf >/dev/null; starts small.swf; grep Conv small.swf
workloom simulate grid.swf -q --platform sub/two.json --background-output large=large.swf
workloom simulate grid.swf -q --platform sub/two.json --background-output all.swf
workloom simulate grid.swf -q --platform sub/two.json --background-output small=sub/local.swf
workloom simulate grid.swf -q --platform sub/two.json --dispatch choose=least-free -o - | starts
workloom simulate grid.swf -q --platform sub/two.json --dispatch choose=random --seed 3 -o - | starts
workloom simulate grid.swf -q --platform sub/two.json --dispatch room=free --dispatch order=sjf -o - | starts
workloom simulate grid.swf -q --platform sub/two.json --scheduler conservative --json | grep '"scheduler"'
workloom simulate grid.swf -q --platform sub/two.json --background large=local.swf --background-load large=0.9 --json | grep -A 3 '"background"'
workloom simulate many.swf -q --platform sub/two.json --background-model small=uniform --background-load 0.4 --json | grep -A 5 '"background"'
for at in 1000 0; do awk -v at=$at '!/^;/ { $2 += at } 1' grid.swf >later.swf; awk -v at=$((1000 - at)) '!/^;/ { $2 += at } 1' local.swf >log.swf; workloom simulate later.swf -q --platform das3 --background VU=log.swf --background-output VU=moved.swf --json | grep -E '"(shift_s|covers)": [^n]'; grep Note moved.swf; done
workloom simulate grid.swf -q --platform sub/two.json --background-load large=0.4
workloom help das3
workloom help platforms | head -3
workloom simulate many.swf --platform das3 --background-model VU=uniform --background-load 0.5 --load 0.8 2>&1 | grep load
workloom simulate grid.swf -q --platform das3 --by size | tail -5
workloom simulate many.swf --platform das3 --background-model uniform --background-load 0.3 --load 0.4,0.8,1.2
workloom simulate many.swf -q --platform sub/two.json -s easy -s conservative --select ran
compare simulate many.swf -q --platform das3 -s easy -s fcfs --background-model VU=uniform --background-load 0.6 --load 0.5:0.9:0.2 --json
one_of_several 0.7 --platform das3 --background-model VU=uniform --background UvA=local.swf
one_of_several 1.3 --platform sub/two.json --background-load 0.4 --load-by runtimes
workloom simulate many.swf -q --platform das3 --dispatch choose=next --load 0.5,0.7 --json | grep -E '"(platform|runs|asked|dispatch|name)"'
workloom simulate many.swf --platform das3 --load 0.5,0.7 -o out.swf
workloom simulate many.swf --platform sub/two.json --load 0.5,0.7 --background-output small=out.swf
workloom simulate many.swf --platform das3 --load 0.5,0.7 --background local.swf --background-load 2
workloom simulate many.swf --threads 1 --platform das3 --load 0.5,0.7 --background-model uniform --background-load 1
cp local.swf a=b.swf; workloom simulate grid.swf -q --platform das3 --background ./a=b.swf --json | grep '"file"'
workloom simulate grid.swf -q --platform das3 --background TUD=a=b.swf --json | grep '"file"'
workloom simulate grid.swf -q --platform das3 --background a=b.swf
workloom simulate grid.swf -q --platform das3 --background =b.swf
workloom simulate grid.swf -q --platform equals.json --background a=local.swf --background a=b=local.swf --json | grep -E '"(name|file)"'
workloom simulate grid.swf -q --platform das3 --background VU=local.swf --background-model VU=uniform
workloom simulate grid.swf -q --platform das3 --background VU=local.swf --background VU=a=b.swf
workloom simulate grid.swf -q --platform das3 --background local.swf --background-model uniform
workloom simulate many.swf -q --platform das3 --background VU=local.swf --background-model uniform --json | grep -E '"(name|file|model)"'
workloom simulate jobs.swf -q --platform narrow.json | grep local
workloom simulate grid.swf -q --platform named.json --scheduler fcfs
workloom simulate many.swf -q --platform das3 --background-model uniform --background-load 0.5 --json | sed 1,3d >once; workloom simulate many.swf -q --platform das3 --background-model uniform --background-load 0.5 --json --threads 1 | sed 1,3d | cmp - once
cluster '{"name": "b", "sched": "easy"}'
cluster '{"name": "b", "colour": "red"}'
platform '{"workloom_model": 1}'
platform '{"workloom": "0.1.0"}'
workloom simulate grid.swf --platform das3 --background-model poisson --background-load 0.5
workloom simulate grid.swf --platform das3 --background-model VU=poisson
workloom simulate grid.swf --platform das4
workloom simulate grid.swf --platform nowhere.json
workloom simulate grid.swf --platform grid.swf
workloom simulate grid.swf --background local.swf
workloom simulate grid.swf --platform das3 --procs 4
workloom simulate jobs.swf --platform worked.json --background-shift 3 --json | grep -E '"(shift_s|left_out|covers)": [^n]'
workloom simulate jobs.swf --platform worked.json --background-shift a=-5 --background-output a=early.swf >/dev/null; jobs_of early.swf | cut -d' ' -f1-4
workloom simulate jobs.swf --platform worked.json --background-shift a=-6
workloom simulate jobs.swf --platform worked.json --background-shift b=5
workloom simulate jobs.swf --platform das3 --background-shift 5
workloom simulate jobs.swf --platform worked.json --background-shift a=soon
workloom simulate jobs.swf --platform worked.json --background-shift 1e99
workloom simulate jobs.swf --procs 4 --background-shift 5
workloom simulate jobs.swf -q --platform worked.json --explain 4
workloom simulate jobs.swf -q --platform worked.json --explain 5
workloom simulate jobs.swf -q --platform worked.json --explain 6
workloom simulate jobs.swf -q --platform worked.json --explain a=1
workloom simulate jobs.swf -q --platform worked.json --explain a=2
workloom simulate jobs.swf -q --platform worked.json --explain 7
workloom simulate jobs.swf -q --platform worked.json --explain 5 --json | sed -n '/"explain": {/,$p' | sed '/"grid": {/,$d'
workloom simulate jobs.swf -q --platform worked.json --explain a=2 --json | sed -n '/"explain": {/,$p' | sed '/"grid": {/,$d'
workloom simulate jobs.swf -q --platform worked.json --dispatch choose=next --explain 3 | sed -n '/^Why it was/,/^$/p'
workloom simulate jobs.swf -q --platform worked.json --explain a=3
workloom simulate jobs.swf -q --platform worked.json --explain 1
workloom simulate jobs.swf -q --platform worked.json --explain c=1
workloom simulate jobs.swf -q --platform worked.json --explain b=1
workloom simulate jobs.swf -q --platform worked.json --explain a=x
workloom simulate jobs.swf -q --procs 4 --explain a=1
workloom simulate grid.swf --platform das3 --compat pyss
workloom simulate grid.swf --platform das3 --gantt 0:10
workloom simulate grid.swf --platform das3 --html page.html --gantt 20d:21d
workloom simulate grid.swf --procs 8 --html page.html --gantt 0:10 --gantt-by home
workloom simulate many.swf --platform das3 --load 0.5,0.7 --gantt 0:10 --html page.html
workloom simulate grid.swf --platform das3 --feedback fluid
workloom simulate grid.swf --platform das3 --users resampled
workloom simulate grid.swf --platform das3 --load 1 --load-by size
sed '$s/^ *\([0-9]*\) *[0-9]*/\1 10000000000/' grid.swf >centuries.swf; workloom simulate centuries.swf --platform das3 --background-model uniform
workloom simulate grid.swf --platform das3 --background VUU=local.swf
workloom simulate grid.swf --platform das3 --background VU=none.swf
workloom simulate grid.swf --platform das3 --background-model unifrom
workloom simulate grid.swf --platform das3 --background-load 0.5
workloom simulate grid.swf --platform das3 --background - <local.swf
workloom simulate - --platform das3 --background VU=- <local.swf
workloom simulate sub/two.json
workloom simulate grid.swf --platform das3 --background local.swf --background-load VU=much
workloom simulate grid.swf --platform das3 --background local.swf --background-load VU=0.2 --background-load VU=0.3
workloom simulate grid.swf --platform das3 --background local.swf --background-load 0.2 --background-load 0.3
workloom simulate grid.swf --platform das3 --background local.swf --background-shift VU=1 --background-shift VU=1
workloom simulate grid.swf --platform das3 --background local.swf --background-shift 1 --background-shift 2
workloom simulate grid.swf -q --platform sub/two.json --background local.swf --background-load large=0.9 --background-load 0.4 --json | grep '"load": 0\.'
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
cluster '{"name": "b\u001b[1m", "procs": 4}'
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
