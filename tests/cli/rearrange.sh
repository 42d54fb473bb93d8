#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runtimes and sizes moved between jobs: shuffled, and correlated on demand.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

"$SAMPLE_LOG" log.swf 2000 >/dev/null
workloom convert -q log.swf ran.swf --select ran
toy_log >few.swf

session <<'END'
workloom convert log.swf high.swf --select ran --correlation 0.4 --seed 7
workloom convert log.swf again.swf --select ran --correlation 0.4 --seed 7 -q
diff <(grep -v '^;' high.swf) <(grep -v '^;' again.swf) && echo the same
workloom convert log.swf low.swf --select ran --correlation-degree -1
workloom convert log.swf mixed.swf --select ran --shuffle joint
awk '!/^;/ {print $4, $5}' ran.swf | sort | cksum
awk '!/^;/ {print $4, $5}' mixed.swf | sort | cksum
workloom convert log.swf zero.swf --select ran --correlation 0
workloom convert log.swf zero.swf --select ran --correlation -0.002 --json | grep -E -A3 '"(target|degree|load_offered)"'
workloom convert few.swf zero.swf --correlation 0
workloom convert log.swf none.swf --select ran --correlation 1
workloom convert log.swf none.swf --correlation 0.2 --correlation-degree 0.2
workloom convert log.swf none.swf --shuffle everything
workloom convert log.swf none.swf --correlation 2
workloom convert log.swf none.swf --select ran --correlation -0.99
awk '!/^;/ {$4 = -1} {print}' log.swf >runless.swf; workloom convert runless.swf none.swf --shuffle joint
END
