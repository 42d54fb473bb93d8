#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A sweep through the library gives the rows that the command writes.

# shellcheck disable=SC1091
. "$CLI_TESTS/../cli/session.inc"
# shellcheck disable=SC1091
. "$CLI_TESTS/log.inc"

# columns NAME...: these columns of a CSV file, numbers with two decimals.
columns() {
    awk -F, -v names="$*" '
        NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i }
        {
            for (i = 1; i <= n; i++) {
                value = $at[name[i]]
                printf "%s%s", value ~ /^[0-9]+\.[0-9]+$/ ? sprintf("%.2f", value) : value, i < n ? " " : "\n"
            }
        }'
}

session <<'SESSION'
sweep log.swf >runs.csv
columns trace source scheduler load jobs wait_mean_s bounded_slowdown_mean utilization <runs.csv
workloom simulate log.swf -s fcfs -s easy -s conservative --load 0.5 --load 0.7 --load 0.9 --csv same.csv -q >tables
cmp runs.csv same.csv
sweep
sweep none.swf
sed '/^; Max/d' log.swf >unsized.swf && sweep unsized.swf
sweep log.swf >/dev/full
SESSION
