#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The features of a small log, and distributions ranked for one of its columns. Numbers that depend on
# the C library's mathematics are not shown.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

toy_log >log.swf
: >empty.swf
sed '/MaxProcs/d' log.swf >no-size.swf
awk '!/^;/ { $15 = -1 } 1' log.swf >no-queue.swf
awk '!/^;/ { $3 = -1 } 1' log.swf >no-waits.swf

session <<'END'
workloom analyze log.swf --feature arrival.interarrival --feature user. --feature max_procs
workloom analyze -q log.swf --select all --feature jobs --feature runtime.m
awk '!/^;/ && NR % 3 == 0 { $2 = -1 } 1' log.swf >unsubmitted.swf
workloom analyze unsubmitted.swf --feature jobs,arrival.interarrival.mean_s
workloom analyze -q log.swf --json --feature procs. --feature session.last.
workloom analyze -q empty.swf --feature jobs --feature runtime.cv
workloom analyze -q log.swf --fit runtime | head -1 | awk '{ $1 = $1; print }'
workloom analyze -q log.swf --fit runtime --json | grep -c '"distribution"'
workloom analyze log.swf --fit colour
workloom analyze log.swf --fit runtime --feature runtime.
workloom analyze log.swf --feature arival
workloom analyze -q log.swf --feature 'max_procs, runtime.mean_s,jobs'
workloom analyze log.swf --feature jobs,arival
workloom analyze log.swf --feature jobs,
workloom analyze -q no-size.swf --feature max_procs,load.offered,service.utilization
workloom info no-waits.swf | grep -e '^  load' -e processors
workloom analyze no-queue.swf --by queue
COLUMNS=70 workloom analyze log.swf -q --by user
COLUMNS=70 workloom analyze log.swf -q --by user --wide
workloom analyze
END
