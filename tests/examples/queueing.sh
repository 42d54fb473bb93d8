#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The mixed model through the library gives what the command gives.

# shellcheck disable=SC1091
. "$CLI_TESTS/../cli/session.inc"
# shellcheck disable=SC1091
. "$CLI_TESTS/log.inc"

session <<'SESSION'
queueing 0.3
workloom queue mixed --lambda 0.3 --users 10 --json | grep -E '"(throughput|response_closed|phase)"'
queueing 1
queueing
SESSION
