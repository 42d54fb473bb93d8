#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runtimes predicted, predictors trained, schedules made with predictions, and what is refused.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

"$SAMPLE_LOG" log.swf 2000 >/dev/null

session <<'END'
workloom predict log.swf --predictor all
workloom predict log.swf --predictor recent2 --train 0 --json -q | grep -A12 '"predictors"'
workloom predict log.swf --tune minh2010 -o one.json --population 6 --generations 3 --threads 1
workloom predict log.swf --tune minh2010 -o two.json --population 6 --generations 3 --threads 2 -q
for f in one two; do grep -v origin $f.json >$f; done; cmp one two
workloom predict log.swf --predictor one.json -q
workloom simulate log.swf -s easy-sjbf --predictor one.json --json -q | grep -A6 '"prediction"'
workloom simulate log.swf -s easy --predictor requested --json -q | grep '"wait_mean_s"'
workloom simulate log.swf -s easy --json -q | grep '"wait_mean_s"'
workloom simulate log.swf -s easy --predict-waits --waits waits.csv 2>&1 | grep -E 'wait|predicted'
head -3 waits.csv; sed 1d waits.csv | awk -F, '$5 < 0 || $6 < 0' | wc -l; wc -l <waits.csv
workloom simulate log.swf -s conservative --predict-waits --json -q | grep -A8 '"wait_prediction"'
workloom simulate log.swf -s fcfs -s easy --predict-waits --csv - -q | awk -F, '{ print $3, $(NF - 5), $NF }'
workloom simulate log.swf --waits waits.csv
workloom simulate log.swf --predict-waits --compat pyss
workloom simulate log.swf --predict-waits --platform das3
workloom predict log.swf --predictor recent3
workloom predict log.swf --predictor minh2010:k1=0
workloom predict log.swf --tune recent2
workloom predict log.swf --tune minh2010:template=user,k1=3 --population 4 --generations 2 -q | grep -E 'template|k1'
workloom predict log.swf --tune minh2010:k1=0
workloom predict log.swf --train 0 --predictor minh2010:range=log --predictor minh2010:deviation=n -q
workloom simulate log.swf -s easy --predictor minh2010:range=log
awk '/^;/ { print; next } { $9 = -1; print }' log.swf >unasked.swf
workloom simulate unasked.swf -s easy --predictor online 2>&1 | grep 'requested time'
workloom predict log.swf --seed 3
workloom predict log.swf --tune minh2010 --predictor recent2
sed 's/"version": 1/"version": 9/' one.json >nine.json; workloom predict log.swf --predictor nine.json
sed 's/"k1"/"k9"/' one.json >k9.json; workloom predict log.swf --predictor k9.json
echo '{"workloom": "model"}' >model.json; workloom predict log.swf --predictor model.json
echo '{"workloom": ' >cut.json; workloom predict log.swf --predictor cut.json
workloom simulate log.swf -s lookahead --compat pyss
head -n 60 log.swf >short.swf; workloom predict short.swf --tune ibl
END
