#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# schedules.sh [--update] WORKLOOM DOCUMENT: run the worked schedules of a document. Speaks TAP.
#
# A worked schedule is a block marked ```schedule: a line with the command; a table with a line for each
# job, whose last column is its start, "-" if it never starts; and the schedule as a chart. The command is
# given the jobs as a log. Starts and chart must be what its schedule says. --update writes them into the
# document instead. Read the difference before committing it.

set -uo pipefail

update=no
if [ "${1-}" = --update ]; then
    update=yes
    shift
fi
usage="usage: schedules.sh [--update] WORKLOOM DOCUMENT"
workloom=$(realpath "${1:?$usage}") || exit 1
document=$(realpath "${2:?$usage}") || exit 1

scratch=$(mktemp -d "${TMPDIR:-/tmp}/workloom-schedules.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# cut_blocks: the blocks as files NN, and in NN.name the heading they stand under.
cut_blocks() {
    awk -v at="$scratch/" '
        /^```schedule$/ { inside = 1; file = sprintf("%s%02d", at, ++n); print heading >(file ".name"); next }
        /^```/ { if (!inside) other = !other; inside = 0; next }
        inside { print >file }
        !other && /^#/ { heading = $0; sub(/^#+ */, "", heading) }' "$document"
}

# to_swf BLOCK: its jobs as a log. A column that is not in the table is unknown.
to_swf() {
    awk '
        function get(name) { return name in column ? $column[name] : -1 }
        NR == 3 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        NR > 3 && NF == 0 { exit }
        NR > 3 {
            print get("job"), get("submit"), -1, get("run"), get("procs"), -1, -1, get("procs"), \
                get("estimate"), -1, 1, get("user"), -1, -1, -1, -1, -1, -1
        }' "$1"
}

# draw BLOCK SCHEDULE: the block anew, with the starts of a schedule and the chart of it. In a chart a
# column is a second: . waiting, # running, - left of the estimate after an early end, ! a job of 0 s,
# x a job that never runs.
draw() {
    awk '
        function times(character, n, text) { while (n-- > 0) text = text character; return text }
        function bar(    text, end) {
            text = times(" ", submit)
            if (start == "-") return text "x"
            end = start + run[$1]
            text = text times(".", start - submit) (run[$1] == 0 ? "!" : times("#", run[$1]))
            return text times("-", start + estimate - end - (run[$1] == 0))
        }
        function axis(longest,    text, t) {
            for (t = 0; t <= longest; t += 10) text = text sprintf("%-10d", t)
            sub(/ +$/, "", text)
            return text
        }
        FNR == NR {
            if ($1 != ";") { began[$1] = $3 < 0 ? "-" : $2 + $3; run[$1] = $4 }
            next
        }
        FNR == 3 { for (i = 1; i <= NF; i++) column[$i] = i }
        FNR <= 3 { print; next }
        NF == 0 { exit }
        {
            start = $1 in began ? began[$1] : "?"
            submit = $column["submit"]
            estimate = $column["estimate"]
            sub(/ *[^ ]*$/, "")
            printf "%s%7s\n", $0, start
            chart[++n] = sprintf("%3d x%-2d %s", $1, $column["procs"], bar())
            if (length(chart[n]) - 8 > longest) longest = length(chart[n]) - 8
        }
        END {
            print ""
            print times(" ", 8) axis(longest)
            for (i = 1; i <= n; i++) print chart[i]
        }' "$2" "$1"
}

# simulate BLOCK: the command in it, on its jobs; the block as it should be goes to stdout.
simulate() {
    local words
    read -ra words < <(sed -n 1p "$1")
    if [ "${words[*]:0:2}" != "workloom simulate" ]; then
        echo "the first line is no command 'workloom simulate ...'"
        return 1
    fi
    to_swf "$1" >"$scratch/jobs.swf"
    { "$workloom" simulate "$scratch/jobs.swf" -q -o "$scratch/schedule.swf" "${words[@]:2}" >/dev/null; } 2>&1 &&
        draw "$1" "$scratch/schedule.swf"
}

# put_back: the document with the blocks as simulated.
put_back() {
    awk -v at="$scratch/" '
        /^```schedule$/ {
            print
            file = sprintf("%s%02d.got", at, ++n)
            while ((getline line <file) > 0) print line
            skipping = 1
            next
        }
        /^```/ { skipping = 0 }
        !skipping' "$document" >"$scratch/document" && cp "$scratch/document" "$document"
}

cut_blocks
number=0
failures=0
for name in "$scratch"/[0-9][0-9].name; do
    block=${name%.name}
    if [ ! -e "$block" ]; then continue; fi
    number=$((number + 1))
    if simulate "$block" >"$block.got" && { [ $update = yes ] || cmp -s "$block" "$block.got"; }; then
        echo "ok $number - $(cat "$name")"
    else
        echo "not ok $number - $(cat "$name")"
        diff -u --label document --label simulated "$block" "$block.got" | sed -n '3,60s/^/#   /p'
        failures=$((failures + 1))
    fi
done
echo "1..$number"
if [ $update = yes ] && [ $failures = 0 ]; then put_back; fi
[ $failures = 0 ] && [ $number -gt 0 ]
