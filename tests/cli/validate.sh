#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Checking schedules: one that keeps the rules, ones that break them, two compared, and what is refused.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

# job submit wait run procs estimate, on 4 processors: job 3 is backfilled while job 2 waits for job 1.
schedule() {
    echo '; MaxProcs: 4'
    awk '{ print $1, $2, $3, $4, $5, -1, -1, $5, $6, -1, 1, 1, -1, -1, -1, -1, -1, -1 }'
}
schedule >easy.swf <<'END'
1 0  0 10 3 10
2 1  9  5 4  5
3 2  0  5 1  5
4 3 -1  5 8  5
END
# Job 3 takes until 11, and makes job 2 late.
schedule >late.swf <<'END'
1 0  0 10 3 10
2 1 10  5 4  5
3 2  0  9 1  9
4 3 -1  5 8  5
END
# Job 2 starts while job 1 has 3 of the processors.
schedule >full.swf <<'END'
1 0  0 10 3 10
2 1  8  5 4  5
3 2 13  5 1  5
5 3 12  5 1  5
END
# Job 1 runs for 11 s instead of 5; what that makes of the others is what EASY does with --overrun extend.
schedule >over.swf <<'END'
1  0  0 11 3  5
2  1 18  5 4  5
3 10  0  9 1  9
END
{
    printf '1 0 0 100 4 100\n'
    for number in $(seq 2 14); do echo "$number $number 0 1 1 1"; done
} | schedule >crowd.swf
# Jobs 2 and 3 could start at 1 and 20, and are passed over at every instant until 20 and 30.
schedule >lazy.swf <<'END'
1  0  0  5 1  5
2  1 19 10 2 10
3  1 29  5 2  5
4  6  0  2 1  2
5  9  0  2 1  2
6 21  0  2 1  2
END
# Another log, whose jobs have the same numbers.
schedule >other.swf <<'END'
1 0  0 10 3 10
2 7 -1  5 4  5
3 2  0  5 2  5
4 3 -1  5 8  5
END
# Job 2 comes in the second hour; one schedule tells when it began, the other does not.
schedule >hours.swf <<'END'
1    0    0 4000 3 4000
2 3700  100 9000 4  600
3 3701 -100    5 1    5
END
{ printf '; UnixStartTime: 1046649600\n; TimeZoneString: Europe/Amsterdam\n'; cat hours.swf; } >dated.swf
sed 's/^2 3700 100/2 3700 4300/' dated.swf >delayed.swf
sed 1d easy.swf >bare.swf
echo '; MaxProcs: 4' >none.swf
awk '!/^;/ { $3 = -1 } { print }' easy.swf >unrun.swf
sed 's/^2 /1 /' easy.swf >twice.swf

session <<'END'
workloom validate - --against -
workloom validate easy.swf
workloom validate easy.swf --policy easy
workloom validate easy.swf --policy conservative
workloom validate easy.swf --policy fcfs
workloom validate late.swf --policy easy
workloom validate late.swf --policy easy -q
workloom validate late.swf --policy easy --json
workloom validate full.swf
workloom validate crowd.swf
workloom validate easy.swf --procs 3
workloom validate easy.swf --against easy.swf
workloom validate easy.swf --against late.swf
workloom validate easy.swf --against full.swf --json
workloom validate easy.swf --against other.swf
workloom validate lazy.swf --policy easy
workloom validate lazy.swf --policy fcfs:order=sjf
workloom simulate easy.swf -q -s conservative -o ours.swf >/dev/null; workloom validate ours.swf --policy conservative --against easy.swf
workloom validate hours.swf
workloom validate dated.swf --overrun kill
workloom validate dated.swf --against delayed.swf
workloom validate dated.swf --json | grep '"text"'
workloom validate unrun.swf
workloom validate bare.swf
workloom validate bare.swf --procs 4
workloom validate late.swf --policy relaxed
workloom validate late.swf --policy relaxed:slack=0.1
workloom validate easy.swf --policy easy:order=sjf
workloom validate easy.swf --policy esay
workloom validate easy.swf --policy ups
workloom validate late.swf --policy ups:alpha=0.6
workloom validate easy.swf --policy easy --exact
workloom validate late.swf --policy selective
workloom validate late.swf --policy easy --exact --json | grep -A 5 '"rule": "exact"'
workloom validate easy.swf --exact
workloom validate over.swf --policy easy
workloom validate over.swf --policy easy --overrun extend --exact
workloom validate over.swf --overrun kill
workloom validate over.swf --overrun cut
workloom validate easy.swf --against twice.swf
workloom validate easy.swf --against missing.swf
workloom validate easy.swf --against none.swf
workloom validate missing.swf --policy relaxed:slack=-3
workloom validate missing.swf
workloom validate easy.swf --procs 0
workloom validate easy.swf twice.swf
workloom validate
END
