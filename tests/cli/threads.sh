#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The same bytes with any number of threads, and from a file, a packed file and a pipe.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

"$SAMPLE_LOG" log.swf 30000
gzip -n <log.swf >log.swf.gz

# Documents record the command line, which names the number of threads; headers do without it.
compare() {
    local threads
    for threads in 1 2 5; do
        workloom "$@" --threads $threads | sed '/"command": /d' | cksum
    done | uniq -c | awk '{ print $1, "times the same" }'
}

session <<'END'
compare convert log.swf - -q
compare convert log.swf.gz - -q
cat log.swf | workloom convert - - -q --threads 5 | sed '/Conversion:/d' | cmp - <(workloom convert log.swf - -q | sed '/Conversion:/d')
cat log.swf.gz | workloom convert - - -q | sed '/Conversion:/d' | cmp - <(workloom convert log.swf - -q | sed '/Conversion:/d')
compare convert log.swf - -q --to csv
compare convert log.swf - -q --to gwf
compare convert log.swf - -q --to batsim --select ran
workloom clean -q log.swf clean.swf
compare fit minh2012 clean.swf -q
compare fit lublin2003 clean.swf -q
workloom fit minh2012 clean.swf -q -p variant=improved -o model.json
compare generate model.json --jobs 20000 --seed 7 --load 0.5 -q
compare generate lublin2003 --jobs 20000 -p variant=mix -q
for file in a.swf b.swf; do workloom generate model.json -q -o $file; cksum <$file; done | uniq | wc -l
compare info log.swf
compare info log.swf --json
compare clean log.swf - -q --flurries auto --admin --abnormal-days
for n in 1 2 5; do workloom convert log.swf out.swf.gz -q --threads $n; gzip -dc out.swf.gz | cksum; done | uniq | wc -l
sed '20000s/^ *[0-9]*/x/;25000s/^ *[0-9]*/y/' log.swf >bad.swf
for n in 1 2 5; do workloom info bad.swf --threads $n; done
for n in 1 2 5; do workloom convert bad.swf out.swf --skip-bad-lines --threads $n; done 2>&1 | cut -d ';' -f 1 | sed 's/wrote [0-9,]* jobs/wrote N jobs/'
END
