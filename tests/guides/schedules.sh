#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# schedules.sh [--update] WORKLOOM DOCUMENT: run the worked schedules of a document. Speaks TAP.
#
# A worked schedule is a block marked ```schedule: a line with the command; a table with a line for each
# job, whose last column is its start, "-" if it never starts; and the schedule as a chart. The command is
# given the jobs as a log. Starts and chart must be what its schedule says. --update writes them into the
# document instead. Read the difference before committing it.
#
# In place of the empty line below the command a grid has its clusters, "clusters: a x4 easy, b x2 fcfs":
# they become the file grid.json. The column home says where a job is submitted, "grid" or a cluster; the
# start of a grid job is followed by the cluster that it was sent to, 12@b.

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

# to_swf BLOCK [HOME]: its jobs as a log, or those of one home. A column that is not in the table is
# unknown.
to_swf() {
    awk -v home="${2-}" '
        function get(name) { return name in column ? $column[name] : -1 }
        NR == 3 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        NR > 3 && NF == 0 { exit }
        NR > 3 && (home == "" || get("home") == home) {
            print get("job"), get("submit"), -1, get("run"), get("procs"), -1, -1, get("procs"), \
                get("estimate"), -1, 1, get("user"), -1, -1, -1, -1, -1, -1
        }' "$1"
}

# clusters BLOCK: name, processors and scheduler of each cluster of a grid, a line each.
clusters() {
    sed -n '2s/^clusters: //p' "$1" | tr ',' '\n' | sed 's/ x/ /'
}

# to_platform BLOCK: its clusters as a platform file, with the logs of those that have local jobs, all on one
# clock.
to_platform() {
    local name procs policy log before=''
    echo '{"workloom_platform": 1, "clusters": ['
    while read -r name procs policy; do
        log=''
        if [ -s "$name.swf" ]; then log=", \"background\": \"$name.swf\", \"shift_s\": 0"; fi
        printf '%s{"name": "%s", "procs": %s, "scheduler": "%s"%s}\n' "$before" "$name" "$procs" "$policy" "$log"
        before=,
    done < <(clusters "$1")
    echo ']}'
}

# draw BLOCK SCHEDULE: the block anew, with the starts of a schedule and the chart of it. In a chart a
# column is a second: . waiting, # running, - left of the estimate after an early end, ! a job of 0 s,
# x a job that never runs. Of a grid the cluster comes before the bar.
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
            if ($1 != ";") { began[$1] = $3 < 0 ? "-" : $2 + $3; run[$1] = $4; cluster[$1] = $16 }
            next
        }
        FNR == 2 && /^clusters: / {
            n_names = split(substr($0, 11), names, /, */)
            for (i = 1; i <= n_names; i++) sub(/ .*/, "", names[i])
        }
        FNR == 3 { for (i = 1; i <= NF; i++) column[$i] = i }
        FNR <= 3 { print; next }
        NF == 0 { exit }
        {
            start = $1 in began ? began[$1] : "?"
            submit = $column["submit"]
            estimate = $column["estimate"]
            home = n_names ? $column["home"] : ""
            place = home == "grid" ? names[cluster[$1]] : home
            label = sprintf("%3d x%-2d %s", $1, $column["procs"], n_names ? sprintf("%-2s", place) : "")
            sub(/ *[^ ]*$/, "")
            printf "%s%7s\n", $0, start (home == "grid" && start != "-" ? "@" place : "")
            chart[++n] = label bar()
            if (length(chart[n]) - length(label) > longest) longest = length(chart[n]) - length(label)
        }
        END {
            print ""
            print times(" ", length(label)) axis(longest)
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
    if [ -n "$(clusters "$1")" ]; then
        simulate_grid "$1" "${words[@]:2}"
        return
    fi
    to_swf "$1" >"$scratch/jobs.swf"
    { "$workloom" simulate --select all "$scratch/jobs.swf" -q -o "$scratch/schedule.swf" "${words[@]:2}" >/dev/null; } 2>&1 &&
        draw "$1" "$scratch/schedule.swf"
}

# simulate_grid BLOCK OPTION...: the same for a grid. Its schedule is in several files: that of grid jobs,
# and those of the clusters' local jobs.
simulate_grid() {
    local block=$1 name outputs=()
    shift
    rm -rf "$scratch/grid"
    mkdir "$scratch/grid"
    (
        cd "$scratch/grid" || exit 1
        to_swf "$block" grid >jobs.swf
        while read -r name _; do
            to_swf "$block" "$name" >"$name.swf"
            if [ -s "$name.swf" ]; then outputs+=(--background-output "$name=$name.out"); fi
        done < <(clusters "$block")
        to_platform "$block" >grid.json
        { "$workloom" simulate --select all jobs.swf -q --to swf -o grid.out "${outputs[@]}" "$@" >/dev/null; } 2>&1 &&
            cat ./*.out >schedule.swf && draw "$block" schedule.swf
    )
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
