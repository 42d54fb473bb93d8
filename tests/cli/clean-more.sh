#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The rules that are asked for: flurries found and named, administrative jobs, abnormal days. The log
# is 40 days of 20 users, with one of each planted.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

{
    printf '; %s\n' 'Version: 2.2' 'UnixStartTime: 1046646000' 'TimeZoneString: Europe/Stockholm' \
        'MaxProcs: 64' 'MaxJobs: 3240' 'MaxRecords: 3240' 'Note: user 7 = eve'
    awk '
        function job(submit, run, procs, user, executable) {
            printf "%d %d 0 %d %d -1 -1 %d 3600 -1 1 %d 1 %d 1 -1 -1 -1\n", ++n, submit, run,
                procs, procs, user, executable
        }
        BEGIN {
            for (day = 0; day < 40; day++) {
                at = day * 86400
                # A script of user 99, at 3:30 each night.
                job(at + 12600 + day % 5, 3, 1, 99, 1)
                # Each user submits two jobs a day.
                for (i = 0; i < 40; i++)
                    job(at + 30000 + i * 900 + day * 7 % 50, 600 + (i * 37 + day * 11) % 500,
                        2 ^ (i % 5), 1 + i % 20, 10 + i % 20)
                # eve lets a loop run on days 10 to 12.
                if (day >= 10 && day <= 12)
                    for (i = 0; i < 500; i++)
                        job(at + 40000 + i * 20, 1, 1, 7, 50)
                # On day 20 someone fills the machine.
                if (day == 20)
                    for (i = 0; i < 100; i++)
                        job(at + 70000 + i, 30000, 64, 1 + i % 20, 60 + i)
            }
        }'
} >log.swf

session <<'END'
workloom info log.swf | grep -e jobs -e users
workloom clean log.swf --dry-run
workloom clean log.swf --dry-run --flurries auto
workloom clean log.swf --dry-run --flurries auto --flurry-weeks 50
workloom clean log.swf --dry-run --flurries auto --flurry-jobs 2000
workloom clean log.swf --dry-run --flurry eve:2003-03-13:2003-03-15T23:59:59
workloom clean log.swf --dry-run --flurry 7:2003-03-13:2003-03-14 --flurry 7:2003-03-15:2003-03-16
workloom clean log.swf --dry-run --flurry 'eve:#400:#600'
workloom clean log.swf --dry-run --flurry 8:0:100
workloom clean log.swf --dry-run --admin
workloom clean log.swf --dry-run --admin --admin-days 41
workloom clean log.swf --dry-run --admin --admin-runtime 2
workloom clean log.swf --dry-run --abnormal-days
workloom clean log.swf --dry-run --abnormal-days --max-days 1 --flurries auto
workloom clean log.swf clean.swf --dropped dropped.swf --flurries auto --admin --abnormal-days
grep '^;' clean.swf
sort <(jobs_of clean.swf) <(jobs_of dropped.swf) | cmp - <(jobs_of log.swf | sort)
workloom clean clean.swf again.swf --flurries auto --admin -q
cmp <(jobs_of clean.swf) <(jobs_of again.swf)
END
