#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Several policies and loads in one call, and what --html, --figures and --gantt refuse. What is drawn
# is looked at by tests/unit/test_report_runs.c and tests/browser.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

# job submit wait run procs cpu mem procs request mem status user ...
cat >log.swf <<'END'
; MaxProcs: 4
1  0 -1 10 3 -1 -1 3 10 -1 1 1 1 -1 1 -1 -1 -1
2  1 -1  5 4 -1 -1 4  5 -1 1 2 1 -1 1 -1 -1 -1
3  2 -1  5 1 -1 -1 1  5 -1 1 1 1 -1 1 -1 -1 -1
4 40 -1  8 1 -1 -1 1  8 -1 1 1 1 -1 1 -1 -1 -1
END
"$SAMPLE_LOG" sample.swf 2000
# One job has no runtime, one is wider than the machine, and the estimate of one is too low.
cat >rough.swf <<'END'
; MaxProcs: 4
1  0 -1 10 3 -1 -1 3 10 -1 1 1 1 -1 1 -1 -1 -1
2  1 -1  5 2 -1 -1 2  3 -1 1 2 1 -1 1 -1 -1 -1
3  2 -1 -1 1 -1 -1 1  5 -1 0 1 1 -1 1 -1 -1 -1
4 40 -1  8 5 -1 -1 5  8 -1 1 1 1 -1 1 -1 -1 -1
END

sed 1d log.swf >bare.swf

# The results of three numbers of threads, without the command line, which names them.
compare() {
    local threads
    for threads in 1 2 5; do
        workloom "$@" --threads $threads | sed '/"command": /d' | cksum
    done | uniq -c | awk '{ print $1, "times the same" }'
}

# Where there is a workloom but no gnuplot.
bare() {
    mkdir -p bare
    ln -sf "$(command -v workloom)" bare/workloom
    PATH=$PWD/bare "$@"
}

# Three jobs of a user, 50 s apart, which are a bag in the log and would be none at a load of 0.02.
printf '1 0\n2 50\n3 100\n4 5000\n' |
    awk 'BEGIN { print "; MaxProcs: 4" } { print $1, $2, 0, 100, 2, -1, -1, 2, 100, -1, 1, 1, -1, -1, -1, -1, -1, -1 }' >bags.swf

workloom clean sample.swf clean.swf -q
workloom fit uniform clean.swf -o model.json -q

session <<'END'
workloom simulate log.swf -s fcfs -s easy
workloom simulate log.swf -s fcfs -s easy --first 1 -q | head -1
workloom simulate log.swf -s all --first 1 -q | head -1
workloom simulate log.swf -s easy -s fcfs --first 2 --load 0.1,0.2 -q | head -1
workloom simulate log.swf -q -s fcfs --load 0.5,0.25 --load 0.75 --load-by runtimes
workloom simulate log.swf -q -s easy -s fcfs --load 0.4:0.6:0.1
workloom simulate log.swf -q --load 0.5:0.54:0.1,0.5 | head -4
workloom simulate log.swf -q -s fcfs -s easy --by user --json | grep -E '"(runs|scheduler|wait_mean_s|by|left_out)"'
compare simulate sample.swf -q -s fcfs -s easy -s conservative --load 0.3:0.5:0.1 --json
compare simulate sample.swf -q -s easy -s ups --warm-up 100 --cool-down 1d
workloom simulate rough.swf -s fcfs -s easy
workloom simulate rough.swf -s fcfs -s easy --first 1
workloom simulate rough.swf -s fcfs -s easy -q --overrun kill --feedback fluid
workloom simulate bags.swf -q --load 0.02,2 --by bag | grep -E 'alone|in bags'; COLUMNS=160 workloom simulate bags.swf -q --load 0.02 --by bag | grep -E 'alone|in bags'
workloom simulate log.swf --load 0.5:
workloom simulate log.swf --load 0.5:0.4:0.1
workloom simulate log.swf --load 0.5:0.9:0
workloom simulate log.swf --load 0.5,,0.6
workloom simulate log.swf --load 0.5,much
workloom simulate log.swf --load 0.9:200:50
workloom simulate log.swf --load 0.001:90:0.001
workloom simulate log.swf -s fcfs --load 0.5,8 --load-by size
workloom simulate bare.swf -s fcfs -s easy
workloom simulate bare.swf -s fcfs -s easy --first 1 --procs 2
workloom simulate log.swf -s easy -s fcfs -s easy
workloom simulate log.swf -s easy -s fcfs --param order=sjf
workloom simulate log.swf -s easy -s esay
workloom simulate log.swf -s easy -s fcfs -o out.swf
workloom simulate log.swf -s easy -s fcfs --explain 2
workloom simulate log.swf -s easy -s fcfs --by size
workloom simulate log.swf -s easy -s fcfs --html page.html --gantt 0:10
workloom simulate log.swf --gantt 0:10
workloom simulate log.swf --html page.html --gantt-by why
workloom simulate log.swf --html page.html --gantt 10
workloom simulate log.swf --html page.html --gantt 10:5
workloom simulate log.swf --html page.html --gantt soon:later
workloom simulate log.swf --html page.html --gantt 0:3w
workloom simulate log.swf --html page.html --gantt 2003-03-03:2003-03-04
workloom simulate log.swf --html page.html --gantt 2003-02-30:5d
workloom simulate log.swf --html page.html --gantt 100:1h
workloom simulate log.swf --html page.html --gantt 22:30
workloom simulate log.swf --html page.html --gantt 0:10 --gantt-by colour
workloom simulate log.swf --html log.swf
workloom simulate log.swf --figures figures --by size
workloom simulate log.swf --format pdf
workloom simulate log.swf -q -s all
workloom simulate log.swf -q -s ups:alpha=1 -s all --json | grep '"scheduler"'
workloom simulate log.swf -s easy -s all
workloom simulate log.swf -s easy --load 90 -q | wc -l
workloom experiment run --trace log.swf -s easy --load 80,90 --db loads.db -q; rm loads.db*
workloom simulate clean.swf --model minh2012 -s easy -s conservative --replications 3
workloom simulate clean.swf --model model.json -s easy -s conservative --load 0.7 --first 500
workloom simulate clean.swf -q --model uniform:arrivals=poisson --load 0.5 --estimates exact --replications 2 --json | grep -E '"(source|load|runs)"'
workloom simulate clean.swf -q --model model.json --csv - | cut -d, -f1-6
workloom simulate clean.swf -q --model model.json --json | grep -E '"(model|jobs|procs)"'
workloom simulate clean.swf -q --model minh2012 --param order=sjf --procs 200 --replication 3 --csv - | cut -d, -f1-6
workloom simulate clean.swf -q --model minh2012 --platform das3 -n 2 --csv - | cut -d, -f1-6
compare simulate clean.swf -q --model minh2012 -s easy -s fcfs --load 0.5,0.7 --replications 3 --json
workloom simulate clean.swf --model poisson
workloom simulate clean.swf --model minh2021
workloom simulate clean.swf --model minh2012:tail=long
workloom simulate clean.swf --model missing.json
workloom simulate - --model - <clean.swf
workloom simulate clean.swf --model uniform --estimates requested
workloom simulate clean.swf --model uniform --users resampled
workloom simulate clean.swf --model uniform --feedback fluid
workloom simulate clean.swf --model uniform --preset zakay-ch5
workloom simulate clean.swf --model uniform --explain 2
workloom simulate clean.swf --model uniform -o out.swf
workloom simulate clean.swf --model uniform --user-jobs 2
workloom simulate clean.swf --model uniform --by user --replications 2
bare workloom simulate log.swf --html page.html
bare workloom simulate log.swf --figures figures --gantt 0:20
ls
END
