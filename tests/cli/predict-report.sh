#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Evaluations of predictors: classes, files, pages, parameter files that are refused, and logs that lack
# something or are odd.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

"$SAMPLE_LOG" log.swf 2000 >/dev/null

# Parameter files.
cat >one.json <<'END'
{
  "workloom": "predictor",
  "version": 1,
  "predictor": "minh2010",
  "parameters": {
    "template": "user",
    "pivot": "300",
    "k1": "4"
  }
}
END
session <<'END'
workloom predict log.swf --predictor one.json -q --json | grep -A4 '"params"'
sed 's/"minh2010"/"minh2011"/' one.json >other.json; workloom predict log.swf --predictor other.json
sed 's/"minh2010"/"ibl"/' one.json >ibl.json; workloom predict log.swf --predictor ibl.json
sed 's/"minh2010"/"recent2"/' one.json >recent.json; workloom predict log.swf --predictor recent.json
sed 's/"pivot": "300"/"pivot": "9", "pivot2": "5"/' one.json >pivot.json; workloom predict log.swf --predictor pivot.json
sed 's/"k1": "[0-9]*"/"k1": [5]/' one.json >array.json; workloom predict log.swf --predictor array.json
workloom predict log.swf --predictor nowhere.json
END

# Classes, files, and what excludes what.
session <<'END'
workloom predict log.swf --predictor recent2 --predictor online --by size
workloom predict log.swf --predictor online --by time -q | head -5
workloom predict log.swf --predictor online --by runtime --json -q | grep -A22 '"classes"'
workloom predict log.swf --predictor online --wide -q
workloom predict log.swf --predictor recent2 --predictor online:quantile=0.5 --csv - -q
workloom predict log.swf --predictor requested --by user --csv users.csv -q | head -4; head -3 users.csv
workloom predict log.swf --predictor recent2 --csv all.csv --json -q | grep -c '"mae_s"'; wc -l <all.csv
workloom predict log.swf --by user --figures out
workloom predict log.swf --csv - --json
workloom predict log.swf --csv log.swf
workloom predict log.swf --html a --csv a
workloom predict log.swf --tune minh2010 --html a.html
workloom predict log.swf --format png
workloom predict log.swf --by colour
workloom help recent2
workloom help minh2010 | grep 'predictor of'
END

# The page and its figures; the same for any number of threads.
session <<'END'
workloom predict log.swf --predictor all --by request --html page.html --figures figures
ls figures | tr '\n' ' '; echo
workloom predict log.swf --html recent2.html -q; grep -c 'Calibration' recent2.html
grep -o '<h2>[^<]*' page.html
for t in 1 3; do workloom predict log.swf --predictor all --by user --json --threads $t -q | grep -v '"command"' >$t.json; done; cmp 1.json 3.json
for t in 1 3; do workloom predict log.swf --predictor all --csv $t.csv --html $t.html --threads $t -q; grep -v 'workloom predict' $t.html >$t; done; cmp 1 3; cmp 1.csv 3.csv
head -2 figures/error-runtime.csv
END

# Logs that lack something, and odd ones.
awk '/^;/ { print; next } { $9 = $10 = $12 = $13 = $14 = $15 = -1; print }' log.swf >bare.swf
awk '/^;/ { print; next } { $3 = -1; print }' log.swf >nowait.swf
awk '/^;/ { print; next } { $2 = 5; print }' log.swf >once.swf
awk '/^;/ { print; next } { $4 = 0; print }' log.swf >zero.swf
awk '/^;/ { print; next } { $9 = 4611686018427387904; print }' log.swf >huge.swf
grep '^;' log.swf >empty.swf
{ cat empty.swf; grep -v '^;' log.swf | sed -n 20p; } >one.swf
session <<'END'
workloom predict bare.swf --predictor all
workloom predict bare.swf --predictor all --html bare.html
grep -o '<li>No job[^<]*' bare.html
workloom predict bare.swf --tune minh2010 -o bare.json --population 4 --generations 2
workloom predict nowait.swf -q
workloom predict nowait.swf --predictor online >/dev/null
workloom predict once.swf --predictor recent2 --predictor online -q
workloom predict once.swf --predictor all --html once.html
workloom predict zero.swf --predictor all -q
workloom predict zero.swf --predictor all --html zero.html
workloom predict huge.swf --predictor recent2 --predictor minh2010 -q --json | grep 'mae_s\|underest'
workloom predict empty.swf
workloom predict one.swf
workloom predict one.swf --tune minh2010
END
