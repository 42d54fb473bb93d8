#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Cleaning by the default rules: what goes, how it is accounted for, and what the new header says.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

{
    toy_log
    echo '6 604900 0 50 64 50 -1 64 60 -1 1 3 1 2 1 -1 -1 -1'     # wider than the machine
    echo '7 -500 0 50 1 50 -1 1 60 -1 1 3 1 2 1 -1 -1 -1'         # before the log began
    echo '8 605000 0 0 -1 -1 -1 1 60 -1 5 4 1 2 1 -1 -1 -1'       # cancelled at once
    echo '5 604800 3 45 1 44 -1 1 60 -1 1 5 2 5 0 -1 4 20'        # the same as job 5
    echo '9 605100 -7 45 1 44 -1 1 60 -1 1 5 2 5 0 -1 -1 -1'      # a wait that cannot be
    echo '10 605200 0 45 0 44 -1 -1 60 -1 1 5 2 5 0 -1 -1 -1'     # ran nowhere
    echo '11 9605300 0 45 1 44 -1 1 60 -1 1 5 2 5 0 -1 -1 -1'     # long after all others
} >log.swf

session <<'END'
workloom clean log.swf --dry-run
ls
workloom clean log.swf clean.swf --dropped dropped.swf
grep '^;' clean.swf
jobs_of clean.swf
jobs_of dropped.swf
sort <(jobs_of clean.swf) <(jobs_of dropped.swf) | cmp - <(jobs_of log.swf | sort)
workloom clean clean.swf again.swf
cmp <(jobs_of clean.swf) <(jobs_of again.swf)
workloom clean log.swf clean.swf --keep-impossible -q
jobs_of clean.swf | wc -l
workloom clean log.swf clean.swf --keep-impossible --keep-unrun
workloom clean log.swf clean.swf --max-gap 30
workloom clean log.swf clean.swf --json
workloom clean log.swf --dry-run --json | grep -e '"jobs"' -e '"rule"' -e kept
workloom clean - - --dry-run <log.swf | sed -n "\$p"
workloom clean - - <log.swf | jobs_of
workloom clean - - -q <log.swf | jobs_of | wc -l
workloom clean log.swf clean.csv --dropped dropped.csv -q --keep-unrun
grep -c '^[0-9]' clean.csv dropped.csv
workloom clean log.swf clean.swf --dropped - 2>/dev/null | jobs_of
workloom clean log.swf log.swf -q
jobs_of log.swf
ls -A
END
