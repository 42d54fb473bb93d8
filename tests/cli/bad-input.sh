#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Logs that are not what they should be: one line that says where and what, exit code 1, no output.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

toy_log >toy.swf
sed 's/^2 100/2 1x0/' toy.swf >letters.swf
sed 's/^2 100 .*/2 100 0/' toy.swf >missing.swf
sed 's/^2 100/2 99999999999999999999/' toy.swf >large.swf
sed 's/^\(4 86400 0 7200\) 16/\1 3000000000/' toy.swf >wide.swf
sed 's/^2 100/2 100\x00/' toy.swf >nul.swf
sed -e 's/^2 100/2 1x0/' -e 's/^4 /4 4 /' -e 's/^5 .*/5 oops/' toy.swf >several.swf
gzip -n <toy.swf >toy.swf.gz
head -c 60 toy.swf.gz >cut.swf.gz
head -c 5 toy.swf.gz >cut-early.swf.gz
head -c -3 toy.swf.gz >cut-late.swf.gz
{ cat toy.swf.gz && head -c 60 toy.swf.gz; } >cut-second.swf.gz
{ head -c 100 toy.swf.gz && printf 'xxxx' && tail -c +105 toy.swf.gz; } >damaged.swf.gz
head -c 20000000 /dev/zero | tr '\0' '\n' | gzip -n >bomb.swf.gz
printf 'submit_s,run_s,procs\n0,60,4\n5,abc,4\n' >letters.csv
printf 'a,b\n1,2\n' >strange.csv
printf '{"nb_res": 4, "jobs": [{"id": "1", "subtime": 0, "res": 2, "profile": "p"}]' >cut.json
printf '{"nb_res": 4, "jobs": [{"id": "1", "subtime": 0, "res": 2, "profile": "p"}], "profiles": {}}' \
    >profile.json
printf '1 2 3\n' >short.gwf
printf 'JobID|Submit|State\n1|yesterday|COMPLETED\n' >time.txt
printf 'JobID|State\n1|COMPLETED\n' >no-submit.txt
printf 'Dear all,\nplease find the log attached.\n' >letter
: >empty

session <<'END'
workloom info letters.swf
workloom info missing.swf
workloom info large.swf
workloom info wide.swf
workloom info nul.swf
workloom info several.swf
workloom info cut.swf.gz
workloom info cut-early.swf.gz
workloom info cut-late.swf.gz
workloom info cut-second.swf.gz
workloom info damaged.swf.gz
workloom info bomb.swf.gz --max-bytes 1M
workloom info toy.swf --max-bytes 200
workloom info - --max-bytes 200 <toy.swf
workloom info letters.csv
workloom info strange.csv
workloom info cut.json
workloom info profile.json
workloom info short.gwf
workloom info time.txt
workloom info no-submit.txt
workloom info letter
workloom info empty
workloom info - <empty
workloom info letter --from swf
workloom info toy.swf letters.swf --json
workloom info - <letters.swf
mkdir out
workloom convert letters.swf out/new.swf
workloom clean nul.swf out/new.swf --dropped out/dropped.swf
workloom convert cut.swf.gz out/new.csv
workloom convert bomb.swf.gz out/new.swf --max-bytes 1M
workloom convert toy.swf out/new.json
ls -A out
workloom convert several.swf out/new.swf --skip-bad-lines 2>&1 | cut -d ';' -f 1
jobs_of out/new.swf
workloom convert letters.swf out/new.swf --skip-bad-lines 2>&1 | cut -d ';' -f 1
workloom convert letters.swf out/new.swf --skip-bad-lines -q
workloom convert several.swf out/new.swf --skip-bad-lines --json 2>/dev/null | grep -e jobs -e bad_lines
workloom info several.swf --skip-bad-lines 2>/dev/null | sed -n '/^Notes/,$p' | cut -d ';' -f 1
workloom info several.swf --skip-bad-lines --json 2>/dev/null | grep -A 1 -e '"bad-lines"' -e '"bad_lines"'
workloom info letters.csv --skip-bad-lines 2>/dev/null | grep jobs
workloom info cut.swf.gz --skip-bad-lines
ls -A out
workloom info letters.swf 2>/dev/null
END
