#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# resample: what it writes and says, and what it refuses.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

"$SAMPLE_LOG" raw.swf 20000
workloom clean -q raw.swf log.swf
awk '/^;/ { print; next } { $12 = -1; print }' log.swf >nobody.swf
awk '/^;/ { print; next } { $12 = 1; print }' log.swf >somebody.swf
awk '/^;/ { print; next } $2 < 20 * 86400' log.swf >short.swf
awk '/^;/ { print; next } { $2 += $2 > 5000000 ? 900000000 : 0; print }' log.swf >gap.swf
awk '/^;/ { print; next } ($2 < 6100000) == $12 % 2' log.swf >halves.swf
grep '^;' log.swf >empty.swf
awk '/^;/ { print; next } n++ < 10' log.swf >ten.swf
touch out-1.swf

# How many jobs of how many users.
shape() {
    jobs_of "$1" | awk '{ n++; users[$12] } END { for (u in users) m++; print n " jobs of " m " users" }'
}

session <<'END'
workloom resample log.swf -o new.swf --map new.csv
grep -E 'Note|Conversion' new.swf | head -n 5
head -n 4 new.csv
shape new.swf
workloom simulate new.swf 2>&1 >/dev/null | grep resampled
workloom replay new.swf -q --assume none | sed -n 1p
workloom info new.swf | grep -o 'mean wait.*'
workloom simulate new.swf -q -o new-easy.swf >/dev/null; workloom simulate new-easy.swf 2>&1 >/dev/null | grep "a replay"
workloom resample log.swf -q -o again.swf --threads 2 && cmp <(jobs_of new.swf) <(jobs_of again.swf)
workloom resample log.swf -o v.swf.gz --variants 3 --json
workloom resample log.swf -q -o v.swf --variants 3 --threads 2 && cmp <(jobs_of v-1.swf) <(jobs_of new.swf)
workloom resample log.swf -q -o w.swf --replication 2 && cmp <(jobs_of v-3.swf) <(jobs_of w.swf)
workloom resample log.swf -q --weeks 10 | shape -
workloom resample log.swf -q --weeks 200 --load-factor 0.5 | shape -
workloom resample log.swf -q --load-factor 3 --start activity | shape -
workloom resample log.swf -o many.swf --load-factor 4 --variants 2
workloom resample halves.swf -o brief.swf --weeks 6 --long-term-weeks 4
workloom resample halves.swf -o brief.swf --weeks 6 --long-term-weeks 4 --start activity
workloom resample log.swf somebody.swf -o mix.swf
workloom resample log.swf -q --rare 17:: -o none.swf && shape none.swf
workloom resample log.swf --rare 3:2003-02-01:2003-03-01T12:00 --rare-per-week 0.5 --arrivals 1 -o rare.swf
workloom info -q rare.swf --json >/dev/null && grep -c 'rare-3#' rare.swf
workloom convert rare.swf common.swf --users '!rare-*' && grep -c . common.swf >/dev/null
COLUMNS=160 workloom simulate rare.swf -q --measure-users '!rare-*' | grep -E 'jobs|measured'
workloom resample log.swf -q --as-is | shape -
workloom resample log.swf -q --as-is --shake job --shake-by 60 | shape -
workloom resample log.swf -q --favour long=5 --locality -0.5 --procs 64 -o odd.swf && shape odd.swf
workloom resample log.swf somebody.swf -q --load-factor 2 -o mixed.swf && grep mixed mixed.swf && grep -c 'user .* = 2/1#' mixed.swf
grep -E 'Computer|MaxNodes|MaxProcs' log.swf mixed.swf odd.swf
workloom resample somebody.swf -q | shape -
workloom resample gap.swf -q | shape -
workloom resample short.swf -q --long-term-weeks 1 --edge-weeks 0 | shape -
workloom resample short.swf
workloom resample nobody.swf
sed '/MaxProcs/d' log.swf >no-size.swf
workloom resample no-size.swf -o sized.swf --as-is
grep MaxProcs sized.swf
workloom resample no-size.swf -o sized.swf --as-is --procs 1:64
workloom resample empty.swf
workloom resample log.swf --weeks 0
workloom resample log.swf --rare 17
workloom resample log.swf --rare 17:yesterday:today
workloom resample log.swf --rare 17:2001-01-01:2002-01-01
workloom resample log.swf --rare 17:: --rare 17::
workloom resample log.swf --rare 99:: --rare-per-week 0.1
workloom resample log.swf --rare 17:: --rare-per-week 30
workloom resample log.swf --rare 17:: --rare 3:: --rare-per-week 2.5 --arrivals 9
workloom resample log.swf --rare 17:: --rare-per-week 0.5
workloom resample log.swf --rare-per-week 1
workloom resample log.swf --favour longer=2
workloom resample log.swf --favour long
workloom resample log.swf --as-is --weeks 3
workloom resample log.swf --shake-by 3
workloom resample log.swf --variants 2
workloom resample log.swf -o log.swf
workloom resample log.swf -o a.swf --map a.swf
workloom resample ten.swf -o out.swf --map out.csv --variants 500
workloom resample ten.swf -o out.swf --variants 481
workloom resample log.swf --json
workloom resample log.swf --load-factor 9999 --weeks 900000
END
