#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The policy to copy, loaded by the command: between FCFS and EASY, and EASY itself without a limit.

# shellcheck disable=SC1091
. "$CLI_TESTS/../cli/session.inc"
# shellcheck disable=SC1091
. "$CLI_TESTS/log.inc"

# shellcheck disable=SC2034 # the session has it
plugin=$(dirname "$SAMPLE_LOG")/own_policy.so

# starts FILE: number and start of each job of a schedule.
starts() {
    jobs_of "$1" | awk '{ print $1, $2 + $3 }'
}

session <<'SESSION'
workloom simulate log.swf --plugin "$plugin" -s easy-short:longest=3600 -o short.swf --json -q | grep -m 1 wait_mean_s | cut -d. -f1
workloom validate short.swf --plugin "$plugin" --policy easy-short:longest=3600 --exact -q >rules && tail -1 rules
workloom simulate log.swf --plugin "$plugin" -s easy-short:longest=1e9 -o long.swf -q >tables
workloom simulate log.swf -s easy -o easy.swf -q >tables
cmp <(starts easy.swf) <(starts long.swf)
cmp -s <(starts easy.swf) <(starts short.swf)
SESSION
