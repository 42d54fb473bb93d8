#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# fit and generate: what they write and say, and what they refuse.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

"$SAMPLE_LOG" raw.swf 20000
workloom clean -q raw.swf log.swf
head -n 40 log.swf | grep -v '^;' | head -n 3 >short.swf
awk '/^;/ { print; next } { print $1, $2, $3, -1, -1, -1, -1, -1, -1, -1, 1, $12, $13, -1, -1, -1, -1, -1 }' \
    log.swf >shapeless.swf
awk '/^;/ { print; next } { $12 = -1; print }' log.swf >nobody.swf

awk '/^;/ { print; next } { $4 = -1; print }' log.swf >timeless.swf
awk '/^;/ { print; next } { $5 = -1; print }' log.swf >ungiven.swf
awk '/^;/ { print; next } { $5 = $8 = -1; print }' log.swf >sizeless.swf
awk '/^;/ { print; next } { $11 = 5; print }' log.swf >cancelled.swf
awk '/^;/ { print; next } { $9 = -1; print }' log.swf >unasked.swf
awk '/^;/ { print; next } { $15 = -1; print }' log.swf >queueless.swf

grep -v '^;' log.swf >headless.swf
grep -v TimeZone log.swf >zoneless.swf
awk '/^;/ { print; next } { $4 *= 5; print }' log.swf >dense.swf

# A document with one change.
damaged() {
    sed "$1" model.json >damaged.json
    workloom generate damaged.json
}

# How many jobs, and their largest size.
shape() {
    awk '!/^;/ { n++; if ($8 > most) most = $8 } END { print n " jobs of at most " most }' "$1"
}

session <<'END'
workloom fit minh2012 log.swf -o model.json
workloom fit minh2012:variant=printed log.swf -p delta=60 -o printed.json
workloom fit lublin2003 log.swf -p means=log -o means.json
workloom fit lublin2003 log.swf -p means=log -o means.json --json | awk '/"(run|work)"/ { printf "%s %.6f\n", $1, $2 }'
workloom fit downey97 log.swf -p means=log -o means.json --json | awk '/"work"/ { printf "%s %.6f\n", $1, $2 }'
workloom fit downey97 log.swf -o means.json --json | sed -n '/"means_kept"/,$p'
workloom fit minh2010:bags=settled,arrivals=poisson,delta=10 log.swf -o settled.json
workloom fit minh2010:bags=settled,arrivals=poisson,delta=10 log.swf -o settled.json --json | awk '/"bags_kept"/ { on = NR } on && NR > on && NR < on + 3 { printf "%s %.3g\n", $1, $2 }'
workloom fit minh2012 log.swf -o again.json -q && cmp model.json again.json
head -n 13 model.json
workloom generate model.json -o new.swf --jobs 5000 --load 0.7
grep '^;' new.swf
shape new.swf
workloom analyze new.swf --feature load. -q
workloom generate model.json -o small.swf --jobs 5000 --procs 16 && shape small.swf
workloom generate lublin2003 --days 2 -o days.swf --json
workloom generate model.json --set bags.alpha=3 --without locality --estimates exact -o set.swf
workloom generate model.json --set bags.alpah=3
workloom generate model.json --set bags.alpha=many
workloom generate model.json --set bags.alpha=0.5
workloom generate model.json --set runtimes[0].mean=5 --set estimates.novelty=0.5 -q -o set.swf
workloom generate model.json --set runtimes[99].mean=5
workloom generate model.json --set estimates.novelty=2
workloom generate model.json --set estimates.heads[0]=60
workloom generate model.json --set log.procs=64
workloom generate model.json --set variant=printed
workloom generate model.json --set arrivals=poisson
workloom generate model.json --set arrivals=none
workloom generate model.json --set delta=60
workloom generate uniform --set arrivals=gamma-daily
workloom generate uniform --set min_run_s=10000
workloom generate feitelson96 --set repeats=false --jobs 500 -q -o new.swf && shape new.swf
workloom generate lublin2003 --set typed=false --jobs 500 -q -o new.swf && shape new.swf
workloom generate lublin2003:variant=mix --set typed=false
workloom generate uniform:arrivals=gamma-daily,arrivals.cycle=expected-slots --jobs 500 -q -o new.swf && shape new.swf
workloom generate uniform:arrivals=gamma-daily,arrivals.gaps=peak
workloom generate uniform:arrivals.scale=60
workloom generate uniform:arrivals=mmwm,arrivals.scal=60
workloom generate uniform:arrivals=mmwm,arrivals.scale=6
workloom generate uniform:arrivals=mmwm,arrivals.scale=60,arrivals.scale=70
workloom generate uniform:run.scale=60
workloom fit bootstrap:arrivals=mmwm,arrivals.scale=300 log.swf | grep scale_s
workloom fit minh2012:arrivals=poisson,scale=60 log.swf
workloom fit minh2012:arrivals.scale=60 log.swf
workloom generate lublin2003 --set combined.runtimes.of=work
workloom generate model.json --set arrivals.process=poisson
workloom generate uniform:arrivals=gamma-daily --set arrivals.method=expected-slots
workloom generate model.json --set bags.alpha=3 --set bags.alpha=2
workloom generate model.json --set runtimes[0].mean=3 --set parameters.runtimes.0.mean=2
workloom generate model.json --set estimates.novelty=0.5 --estimates exact
workloom generate lublin2003:means=log
workloom generate lublin2003 -p gaps=peak
workloom generate feitelson96:fit=likelihood
workloom generate downey97:means=free
workloom fit lublin2003:representative=search log.swf
workloom fit feitelson96:unit=60 log.swf
workloom fit minh2012:variant=improved log.swf --param variant=printed
workloom fit minh2012:delta=60,delta=60 log.swf
workloom generate lublin2003 --set estimates.novelty=0.5
workloom generate model.json --without cycle
workloom generate model.json --without bots
workloom generate model.json -q -o few.swf --without 'bot, locality' && workloom generate model.json -q -o same.swf --without bot --without locality
cmp <(grep -v '^;' few.swf) <(grep -v '^;' same.swf)
workloom generate model.json --without bot,,locality
workloom generate model.json -q -o few.swf --jobs 1e3 --seed 2.5e2 && grep -vc '^;' few.swf
workloom generate model.json --jobs 1e3.5
workloom generate model.json --jobs 5e9
workloom generate model.json --jobs 0
workloom generate model.json --days -1
workloom generate model.json --seed -1
workloom generate model.json --load 1.2
workloom generate model.json --load half
workloom generate model.json --load 1 -o new.swf
workloom generate model.json --procs 4 -o new.swf
workloom generate model.json --load log -o new.swf
workloom generate model.json --load LOG -q -o same.swf && cmp <(grep -v '^;' new.swf) <(grep -v '^;' same.swf)
workloom generate model.json --without correlation -o new.swf
workloom generate model.json --estimates uniform:3 -o new.swf
workloom generate model.json --jobs 1 --load 0.7
workloom generate lublin2003 --load log
workloom fit uniform log.swf -o uniform.json
workloom generate uniform.json -o new.swf
workloom generate uniform.json -o new.swf --jobs 999
workloom generate lublin2003 --seed 2 -o new.swf --days 0.001
workloom generate uniform.json -o new.swf --load log
workloom generate uniform.json -o new.swf --load log --json | grep load
workloom generate model.json --procs 0
workloom generate model.json -p variant=improved
workloom generate model.json --estimates f:half
workloom generate model.json --estimates f:0.5
workloom generate model.json --estimates uniform:-1
workloom generate model.json --estimates uniform
workloom generate lublin2003 --jobs 3 --estimates uniform:3 -q -o - | grep -v '^;'
workloom generate lublin2003 --jobs 3 --estimates uniform:0 -q -o - | grep -v '^;'
workloom generate lublin2003 --estimates modal
workloom generate lublin2003 -p variant=batch -p runtimes=work
workloom generate poisson --load 0.5
workloom generate poisson --estimates exact
workloom generate model.json --phase 5
workloom convert log.swf new.json --structure-seed 2
workloom generate model.json --jobs 9 --structure --exchange 1e6 -q -o new.json && grep -m 1 -o '"com": 1000000' new.json
workloom generate minh2012
workloom generate minh2012:variant=improved -p delta=60
workloom generate model.json new.swf
workloom help minh2012:variant=improved | head -n 1
workloom help minh2013:variant=improved
workloom generate poisson --jobs 9 -q -o poisson.swf && workloom analyze poisson.swf --feature jobs
workloom analyze poisson.swf --select all --feature jobs -q
workloom simulate lublin2003 -s easy
workloom generate minh2013
workloom fit minh2013 log.swf
workloom fit minh2012 log.swf -p delay=5
workloom fit minh2012 log.swf -p delta=-5
workloom fit minh2012 short.swf
workloom fit lublin2003 shapeless.swf --select all
workloom fit lublin2003 timeless.swf
workloom fit lublin2003 timeless.swf --select all
workloom fit poisson timeless.swf --select all -o poisson.json
workloom fit uniform sizeless.swf
workloom fit uniform sizeless.swf --select all
workloom fit uniform ungiven.swf
workloom fit uniform ungiven.swf --select all -o some.json
workloom fit uniform cancelled.swf --select completed
workloom fit uniform unasked.swf -q -o some.json && workloom generate some.json --estimates modal
workloom fit mmwm short.swf
workloom fit lublin2003:variant=mix queueless.swf
workloom fit usergraph nobody.swf
workloom fit onoff nobody.swf
workloom fit minh2012 nobody.swf
workloom fit minh2012 log.swf --max-procs 4
workloom fit uniform headless.swf -o some.json
workloom fit uniform headless.swf -o some.json --max-procs 128 --json | sed -n '/"guesses"/,$p'
workloom fit poisson zoneless.swf -o some.json
awk '!/^;/ && NR % 2 {$12 = -1} {print}' log.swf >nameless.swf; workloom fit usergraph nameless.swf -o some.json
workloom generate uniform:arrivals=mmwm
workloom fit gamma-daily:gaps=peak log.swf -o some.json
for i in {1..50}; do echo "$i $((100 * i)) 0 60 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1"; done >one.swf; workloom fit feitelson96 one.swf
workloom fit uniform dense.swf -q -o some.json && workloom generate some.json -o new.swf
workloom generate some.json --load log
workloom generate - <printed.json -q -o - --jobs 1 | grep -E 'Note|Conversion'
workloom fit bootstrap log.swf -q -o bootstrap.json && workloom generate bootstrap.json --procs 2
damaged 's/"alpha": .*/"alpha": "high"/'
damaged 's/"alpha": .*/"alpha": -1/'
damaged 's/"delta_s"/"delta"/'
damaged 's/"model": "minh2012"/"model": "minh"/'
damaged 's/"alpha": .*/"alpha": 9223372036854775808/'
damaged 's/"delta_s": .*/"delta_s": 9223372036854775808,/'
damaged 's/"alpha": .*/"alpha": -1e309/'
damaged 's/"workloom_model": 4/"workloom_model": 5/'
damaged 's/"workloom_model": 4/"workloom_model": 1/; s/"delta_s"/"delta"/'
sed 's/"workloom_model": 4/"workloom_model": 1/' model.json >damaged.json && workloom generate damaged.json --jobs 5 -q -o new.swf
sed 's/"alpha": .*/"alpha": 0/' model.json | workloom generate -
gzip -kn model.json && workloom generate model.json.gz --jobs 5 -q -o packed.swf && cmp <(grep -v '^;' new.swf) <(grep -v '^;' packed.swf)
workloom generate - --jobs 5 -q -o packed.swf <model.json.gz && cmp <(grep -v '^;' new.swf) <(grep -v '^;' packed.swf)
head -c 999 model.json.gz | workloom generate -
workloom generate model.json --set bags.alpha=1e309
workloom generate model.json --set bags.alpha=99999999999999999999
sed '/"run_s": \[/ { n; s/[0-9]*,// }' bootstrap.json | workloom generate -
sed '/"queue": \[/ { n; s/[0-9]*,// }' bootstrap.json | workloom generate -
workloom generate - </dev/null
printf '\0binary' | workloom generate -
workloom generate .
damaged '20q'
workloom generate log.swf
gzip -kn log.swf && workloom generate log.swf.gz
workloom generate - <log.swf
tr ' ' , <short.swf >short.csv && workloom generate short.csv
workloom generate model.json:variant=improved
workloom compare log.swf --models model.json:variant=improved
workloom generate missing.json
workloom fit uniform model.json
workloom compare log.swf model.json
workloom compare - --models - <model.json
END
