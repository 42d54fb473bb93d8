#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The spellings of options: long with '=' or a blank, short ones apart and together, mixed with
# operands, and "--" before names that start with a dash. What takes one value is given once.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

toy_log >toy.swf
cp toy.swf ./-dash.swf

session <<'END'
workloom convert toy.swf out.swf --select ran
workloom convert toy.swf out.swf --select=ran
workloom convert --select ran toy.swf out.swf
workloom convert toy.swf --select ran out.swf --select=all
workloom simulate toy.swf --by user --by=size
workloom simulate toy.swf -qq -o a.swf -ob.swf
workloom convert toy.swf out.swf --quiet
workloom convert toy.swf out.swf -q
workloom convert -q toy.swf out.swf --select=completed
workloom convert -q -- -dash.swf -out.swf
workloom convert ./-dash.swf ./-out.swf
workloom convert toy.swf -qh | sed -n 1p
workloom convert -h | sed -n 1p
workloom info toy.swf --max-bytes=1G -q | sed -n 1p
workloom info toy.swf --max-bytes 1g --threads=2 | sed -n 1p
workloom info --max-bytes 500000 --from=swf - <toy.swf | sed -n 1p
ls -A
END
