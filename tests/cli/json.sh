#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 'workloom help json' names every key of every document, at the top and in its objects.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

"$SAMPLE_LOG" raw.swf 1000
workloom clean -q raw.swf log.swf >/dev/null
workloom help json >page.txt

# keys COMMAND...: run it with --json; the keys down to DEPTH blanks that the page has not, in the
# part of its command or in that of all commands. Features and their like have keys of their own.
keys() {
    local part depth=${DEPTH:-6}
    part=$(sed -n "/^$1:\$/,/^[a-z]*:\$/p; /^All commands:/,/^info:/p" page.txt | tr -c 'a-z0-9_' '\n')
    workloom "$@" --json -q | sed -n 's/^ \{2,'"$depth"'\}"\([a-z_][a-z0-9_]*\)":.*/\1/p' | sort -u |
        grep -vxFf <(echo "$part")
    true
}

session <<'END'
keys info log.swf
keys analyze log.swf --feature jobs
keys analyze log.swf --fit runtime
keys convert log.swf out.swf --shuffle joint
keys clean log.swf out.swf
keys fit lublin2003 log.swf -o model.json
keys generate model.json -o made.swf
keys resample log.swf -o drawn.swf --long-term-weeks 0.1 --edge-weeks 0
DEPTH=2 keys compare log.swf made.swf --resamples 8
keys simulate log.swf -o easy.swf
keys simulate log.swf --load 0.5 -s easy -s fcfs
keys simulate log.swf --by size
keys simulate log.swf --feedback fluid
keys simulate log.swf --platform das3 --background-model uniform --background-load 0.2
keys validate easy.swf --policy easy --against easy.swf
keys list
END
