#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Closed users: the throughput that their number, runtimes and think times allow.

# shellcheck disable=SC1091
. "$CLI_TESTS/../cli/session.inc"
# shellcheck disable=SC1091
. "$CLI_TESTS/log.inc"

session <<'SESSION'
own_source
SESSION
