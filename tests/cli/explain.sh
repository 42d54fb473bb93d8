#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Why a job waited, under several policies, as text and JSON; jobs with nothing to tell; what is refused.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

# job submit run procs estimate user: the first example of EASY in docs/SEMANTICS.md, where job 1 ends
# early, a job that is too wide, and one without a runtime.
log_of() {
    echo '; MaxProcs: 6'
    awk '{ print $1, $2, -1, $3, $4, -1, -1, $4, $5, -1, 1, $6, -1, -1, -1, -1, -1, -1 }'
}
log_of >log.swf <<'END'
1 0  8 4 10 1
2 1  5 5  5 2
3 2 20 1 20 1
4 3  7 1  7 1
5 4  3 2  3 3
6 5  3 9  3 3
7 5 -1 1  3 3
8 5  2 2  2 3
END
# Job 1 runs longer than it said.
log_of >long.swf <<'END'
1 0 15 4 10 1
2 1  5 5  5 2
3 2  5 1  8 1
END
# Jobs 3 and 4 could both start beside job 1. Jobs 1 and 2 take longer than they said.
log_of >beside.swf <<'END'
1 0 10 3 5 1
2 1  8 6 5 1
3 2  5 1 5 1
4 2  5 1 5 1
END
# Thirty small jobs overtake job 2, and two jobs have the same number.
{
    printf '1 0 100 5 100 1\n2 1 5 6 5 1\n'
    for number in $(seq 3 32); do echo "$number $number 1 1 1 2"; done
    printf '40 50 1 1 1 1\n40 51 1 1 1 1\n'
} | log_of >many.swf

# Job 3 would make job 2 late. When job 4 comes, whose user has less work waiting, that is the first instead, and leaves
# room beside it.
log_of >turns.swf <<'END'
1 0 50 3 50 1
2 1 10 5 10 2
3 2 60 2 60 3
4 3 10 4 10 4
END
# Job 1 outlives its estimate twice, until job 3 is over before the reservation of job 2.
log_of >outlived.swf <<'END'
1 0 40 3 10 1
2 1  5 6  5 2
3 2 12 1 12 3
END
# Under selective, job 4 needs the whole machine, is long, and never waits for long enough: threshold 1.5. Job 5 does.
log_of >waits.swf <<'END'
1 0  2000 3 2000 1
2 10 2000 3 2000 2
3 20  900 3  900 3
4 30 9000 6 9000 4
5 40  300 4  300 5
6 50  100 1  100 6
END

# A log that tells when it began and how long jobs waited; the first job to be simulated comes at 100.
{
    echo '; UnixStartTime: 1046649600'
    echo '; TimeZoneString: Europe/Amsterdam'
    log_of <<<$'1 100 8 4 10 1\n2 3700 5 5 5 2' | sed '2,$s/ -1 / 42 /'
} >dated.swf

session <<'END'
workloom simulate log.swf -q --explain 1
workloom simulate log.swf -q --explain 2
workloom simulate log.swf -q --explain 3
workloom simulate log.swf -q --explain 5
workloom simulate log.swf -q --explain 5 -s fcfs
workloom simulate log.swf -q --explain 5 -s fcfs:order=sjf
workloom simulate log.swf -q --explain 5 -s conservative
workloom simulate log.swf -q --explain 2 -s ups:priority=recency
workloom simulate turns.swf -q --explain 3 -s ups:alpha=1
workloom simulate turns.swf -q --explain 2 -s ups --json | sed -n '/"explain": {/,/"too_few_s"/p'
workloom simulate waits.swf -q --explain 4 -s selective:threshold=1.5
workloom simulate waits.swf -q --explain 5 -s selective:categories=runtime
workloom simulate waits.swf -q --explain 5 -s selective --json | sed -n '/"weighed": {/,/"reservations"/p'
workloom simulate outlived.swf -q --explain 3 --overrun extend
workloom simulate long.swf -q --explain 2 --overrun extend
workloom simulate beside.swf -q --explain 4 -s lookahead:depth=1
workloom simulate beside.swf -q --explain 4 -s lookahead:depth=1 --json | grep -E '"(held|overlooked)_'
workloom simulate beside.swf -q --explain 4 -s fcfs --overrun extend
workloom simulate many.swf -q --explain 2
workloom simulate dated.swf -q --explain 2
workloom simulate dated.swf -q --load 0.5 --explain 2 | sed -n 1,4p
workloom simulate dated.swf -q --load 0.5 --load-by runtimes --explain 2 | sed -n 1,4p
workloom simulate log.swf -q --explain 6
workloom simulate log.swf -q --select all --explain 7
workloom simulate log.swf -q --explain 8 -s conservative --json | sed -n '/"explain": {/,$p'
workloom simulate log.swf -q --explain 6 --json | sed -n '/"explain": {/,$p'
workloom simulate log.swf -q --select all --explain 2 -o schedule.swf >/dev/null; jobs_of schedule.swf | cut -d' ' -f1-4
workloom simulate log.swf --explain 99
workloom simulate log.swf --users 1 --explain 2
workloom simulate many.swf --explain 40
workloom simulate log.swf --explain two
workloom simulate log.swf --explain 2 -o -
END
