#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Looking at logs: what is told of one, of several, and of what comes packed or through a pipe.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

toy_log >toy.swf
gzip -n <toy.swf >toy.swf.gz
# Two members, the first of which ends in the middle of a line.
{ head -c 350 toy.swf | gzip -n && tail -c +351 toy.swf | gzip -n; } >members.swf.gz
cp toy.swf.gz no-suffix
: >empty.swf

session <<'END'
workloom info toy.swf
workloom info toy.swf.gz members.swf.gz | grep -e text -e jobs
workloom info - <toy.swf | sed -n 1p
cat toy.swf.gz | workloom info - | sed -n 1p
workloom info no-suffix | sed -n 1p
workloom info toy.swf --users ann --select completed | sed -n '/jobs/,/users/p'
workloom info empty.swf | sed -n '1,4p;/^Notes/,$p'
workloom info --json toy.swf | grep hash | tr -d '"'
workloom info --json toy.swf
workloom info --json toy.swf toy.swf.gz - <members.swf.gz | grep -e '"file"' -e '"format"' -e '"jobs"' -e '"span_s"'
ls
END
