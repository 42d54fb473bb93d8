#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Simulated waits compared with logged ones, constraints of the machine, and what is refused.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

"$SAMPLE_LOG" log.swf 2000 >/dev/null

# Two processors: jobs 1 and 2 run; 3 waits for 1 though the log started it at 150; nothing starts from 200
# to 2000, and job 4 waits for that.
cat >small.swf <<'LOG'
; MaxProcs: 2
1 0 0 100 1 -1 -1 1 100 -1 1 1 1 -1 1 1 -1 -1
2 0 0 200 1 -1 -1 1 200 -1 1 1 1 -1 1 1 -1 -1
3 10 140 50 1 -1 -1 1 50 -1 1 2 1 -1 2 1 -1 -1
4 210 1790 10 2 -1 -1 2 10 -1 1 2 1 -1 1 1 -1 -1
5 2100 0 10 1 -1 -1 1 10 -1 1 1 1 -1 2 1 -1 -1
LOG

# The log has two jobs on one processor at once: a simulated wait of 99,999 s against 1 s.
cat >shared.swf <<'LOG'
; MaxProcs: 1
1 0 0 100000 1 -1 -1 1 100000 -1 1 1 1 -1 1 1 -1 -1
2 1 1 10 1 -1 -1 1 10 -1 1 2 1 -1 1 1 -1 -1
LOG

session <<'END'
workloom replay shared.swf --assume size
workloom analyze small.swf --by user 2>&1 | grep 'of the work'
workloom analyze small.swf --by user -q
workloom replay small.swf
workloom replay small.swf --by week -s fcfs -s easy -q
workloom replay small.swf -q --json | grep -E '^  "(jobs|wait_mean_log_s|wait_mean_simulated_s|bias_s|abs_error_mean_s|rank_correlation|by)"' 
workloom replay small.swf -q --csv - | cut -d, -f1-8 | head -4
workloom simulate log.swf -s conservative -o ours.swf -q
workloom replay ours.swf -s conservative -q | head -1
workloom replay ours.swf -s conservative -q --json | grep -m2 -E '"(bias_s|rank_correlation)"'
workloom replay log.swf --policies all -q --json --threads 1 | grep -v '"command"' >one.json
workloom replay log.swf --policies all -q --json --threads 2 | grep -v '"command"' >two.json
cmp one.json two.json
workloom simulate small.swf -q --json | grep '"wait_mean_s"'
workloom simulate small.swf -q --json --downtime 200:2000 | grep '"wait_mean_s"'
workloom simulate small.swf -q --json --downtime log | grep '"wait_mean_s"'
workloom simulate small.swf -q --json --user-jobs 1 | grep '"wait_mean_s"'
workloom simulate small.swf -q --json --user-procs 1 | grep '"wait_mean_s"'
workloom simulate small.swf -q --json --own-procs queue | grep '"wait_mean_s"'
workloom simulate small.swf -q --json --own-procs queue:2=5 | grep -E '"(procs|wait_mean_s)"'
workloom simulate small.swf
workloom simulate small.swf --own-procs 3
workloom simulate small.swf --own-procs queue:7=5
workloom simulate small.swf --own-procs partition
workloom replay log.swf --own-procs queue --assume weeks,initial,exact 2>&1 | grep -E "weeks|initial|exact"
workloom simulate small.swf --downtime 5
workloom simulate small.swf --downtime 5:10 --explain 1
workloom simulate small.swf --user-jobs 2 --feedback fluid
workloom experiment run --trace small.swf -s easy -s fcfs --user-jobs 1,2 --db x.db -n 1
workloom experiment report x.db --csv - -q | cut -d, -f1-6 | head -3
sed 's/^\([0-9]* [0-9]*\) [0-9]*/\1 -1/' small.swf >unknown.swf; workloom replay unknown.swf
sed 's/^\([0-9]* [0-9]*\) [0-9]*/\1 -7/' small.swf >wrong.swf; workloom replay wrong.swf
grep -v MaxProcs small.swf >nosize.swf; workloom replay nosize.swf 2>&1 >/dev/null
sed 's/MaxProcs: 2/MaxProcs: 1/' small.swf >narrow.swf; workloom replay narrow.swf 2>&1 >/dev/null
workloom replay small.swf --json --csv -
workloom replay small.swf -s nothing
workloom replay small.swf -q --assume downtime,exact | tail -n +5 | head -5
workloom replay small.swf -q --assume none -s fcfs | head -6
COLUMNS=60 workloom replay small.swf -q --assume downtime,user-jobs
workloom replay small.swf -q --assume none --wide | sed -n 4,6p
workloom simulate ours.swf -s fcfs -s conservative 2>&1 >/dev/null | grep replay
workloom simulate ours.swf -s conservative -s fcfs 2>&1 >/dev/null | grep replay
workloom replay small.swf --assume magic
END
