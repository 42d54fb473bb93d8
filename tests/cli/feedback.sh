#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Users who react: the example of the text, a resampled population, and what is refused.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

# Figure 3 of Zakay's chapter 4: user 3 waits for the first job before sending the second.
cat >figure3.swf <<'END'
; MaxProcs: 4
1  0  0 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1
2 10 90 100 4 -1 -1 4 100 -1 1 2 1 -1 1 -1 -1 -1
3 20  0  20 1 -1 -1 1  20 -1 1 3 1 -1 1 -1 -1 -1
4 50  0  20 1 -1 -1 1  20 -1 1 3 1 -1 1 -1 -1 -1
END
sed 's/-1 1 [123] 1/-1 1 -1 1/' figure3.swf >nobody.swf
sed 's/-1 1 1 1/-1 1 -1 1/; s/^4 50  0/4 50 -1/' figure3.swf >gaps.swf

# Half a year of three users, who are there every week, for two months, and for one day.
awk 'BEGIN {
    print "; MaxProcs: 8"; print "; UnixStartTime: 1046646000"; print "; Note: user 1 = ann"
    for (week = 0; week < 26; week++)
        for (user = 1; user <= 3; user++)
            for (job = 0; job < 4; job++)
                if (user == 1 || (user == 2 && week >= 8 && week < 16) || week == 10)
                    print ++n, week * 604800 + user * 86400 + job * 1200, 60, 600 * user, user,
                        -1, -1, user, 3600, -1, 1, user, 1, -1, 1, -1, -1, -1
}' >year.swf

jobs() {
    awk '!/^;/ { print "job", $1, "of user", $12 ":", $2, "+", $3, "+", $4 }' "$@"
}

session <<'END'
workloom simulate figure3.swf -s fcfs -q -o - | jobs
workloom simulate figure3.swf -s fcfs --feedback adjusted
workloom simulate figure3.swf -s fcfs --feedback adjusted --load 0.5 | grep load
workloom simulate figure3.swf -s fcfs --feedback adjusted --load 0.5,0.7 >/dev/null
workloom simulate figure3.swf -s fcfs --feedback adjusted -q -o - | jobs
workloom simulate figure3.swf -s fcfs --feedback adjusted --poor 5 --abandon 1 -q -o - | jobs
workloom simulate figure3.swf -s fcfs --feedback adjusted -q --json | sed -n '/"people"/,/}/p'
"$SAMPLE_LOG" sample.swf 2000
workloom simulate sample.swf --feedback fluid --session-gap 1 -q | grep '^sessions  '
workloom simulate sample.swf --feedback fluid --session-gap 60 -q | grep '^sessions  '
workloom simulate sample.swf --feedback fluid --session-gap 600 -q | grep '^sessions  '
workloom simulate year.swf --users resampled --feedback fluid -q --json | sed -n '/"people"/,/}/p'
workloom simulate year.swf --users resampled --feedback fluid -q -o - | grep -E '=|seed'
workloom simulate year.swf --users resampled --feedback fluid -q -o - | jobs | sha256sum >one
workloom simulate year.swf --users resampled --feedback fluid -q -o - | jobs | sha256sum | cmp - one
workloom simulate year.swf --users resampled --feedback fluid -q -o - --seed 2 | jobs | sha256sum | cmp -s - one || echo other
workloom simulate year.swf --users resampled --users '!3' -q --weeks 4 --load-factor 2 -o - | jobs | head -3
workloom simulate year.swf --users resampled --preset zakay-ch5 -q --json | grep -E '"feedback"|"log_'
workloom simulate year.swf --users resampled --preset zakay-ch5 --replication 1 -q -o - | jobs | sha256sum >preset
workloom simulate year.swf --users resampled --feedback fluid:late=moves,skipped=week --pause --replication 1 -q -o - | jobs | sha256sum | cmp - preset
workloom simulate year.swf --users resampled --preset zakay-ch4 --feedback adjusted -q --json | grep '"feedback"'
workloom simulate figure3.swf -s fcfs --preset zakay-ch4 -q --json | grep '"feedback"'
workloom simulate year.swf --preset zakay-ch5
workloom simulate gaps.swf --feedback adjusted -o gone.swf --json | grep without
workloom simulate gaps.swf --users resampled --long-term-weeks 0 --edge-weeks 0 -o gone.swf --json | grep without
workloom simulate nobody.swf --feedback fluid
workloom simulate year.swf --users resampled --feedback fluid -q --weeks 300 --rare 3:: --rare-per-week 0.03 -o - | grep -o 'rare-3#[0-9]*' | sort -u | head -3
workloom simulate year.swf --users resampled -q --rare 3:: -o - | grep -c -E '[ =-]3#'
workloom simulate year.swf --users resampled --rare-per-week 0.5
workloom simulate year.swf --rare 3::
workloom simulate nobody.swf --users resampled
workloom simulate figure3.swf --users resampled
workloom simulate figure3.swf --users resample
workloom simulate figure3.swf --users Resampled
workloom simulate figure3.swf --feedback fluyd
workloom simulate figure3.swf --feedback fluid:late=never
workloom simulate figure3.swf --feedback distribution:decay=-1
workloom simulate figure3.swf --abort 0.5
workloom simulate figure3.swf --feedback fluid --weeks 3
workloom simulate figure3.swf --session-gap 30
workloom simulate figure3.swf --feedback fluid --explain 3
workloom help fluid
workloom list behaviours
END
