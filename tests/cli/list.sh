#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What there is to choose from. More may come: the patterns ask for what must be there.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

session <<'END'
workloom list
workloom list formats
workloom list rules
workloom list columns
workloom list commands
workloom list models
for width in 60 80 100 160; do COLUMNS=$width workloom list features | wc -L | awk -v width=$width '$1 > width'; done
COLUMNS=60 workloom list schedulers | tail -1
COLUMNS=60 workloom list schedulers --wide | grep -c 'more column'
workloom list formats --json
workloom list rules --json
workloom list columns --json
workloom list commands --json
workloom list models --json | head -9
END
