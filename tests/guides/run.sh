#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run.sh SOURCE GUIDE...: follow guides (Markdown files) in a copy of the sources. Speaks TAP.
#
# The blocks marked ```sh are run one after the other, each with `bash -e`, at the top of the copy. If
# a block marked ```text follows before the next of them, it is what the commands must print, on stdout
# and stderr together; otherwise they must print nothing. Every such block is a test. After one that
# fails the rest of the guide is left out.

set -uo pipefail

usage="usage: run.sh SOURCE GUIDE..."
source=$(cd "${1:?$usage}" && pwd) || exit 1
shift
guides=()
for guide in "${@:?$usage}"; do guides+=("$(realpath "$guide")"); done

scratch=$(mktemp -d "${TMPDIR:-/tmp}/workloom-guides.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# cut_blocks GUIDE: its blocks as files NN.sh and NN.text, and in NN.name the heading they stand under.
cut_blocks() {
    awk -v at="$scratch/blocks/" '
        function file(kind) { return sprintf("%s%02d.%s", at, n, kind) }
        !inside && /^#/ { heading = $0; sub(/^#+ */, "", heading); next }
        !inside && /^```/ {
            inside = 1
            kind = substr($0, 4)
            if (kind == "sh") { n++; print heading >file("name") }
            if (kind == "text" && n > 0) printf "" >file("text")
            next
        }
        inside && /^```$/ { inside = 0; next }
        inside && (kind == "sh" || (kind == "text" && n > 0)) { print >file(kind) }' "$1"
}

copy_sources() {
    mkdir "$scratch/tree"
    tar -C "$source" --exclude=./.git --exclude='./build*' --exclude=./tests -cf - . |
        tar -C "$scratch/tree" -xf -
}

# follow BLOCK: run it and compare; what is wrong goes to stdout as TAP diagnostics.
follow() {
    local expected=${1%.sh}.text code
    if [ ! -e "$expected" ]; then expected=/dev/null; fi
    (cd "$scratch/tree" && exec env TZ=UTC LC_ALL=C.UTF-8 bash -e "$1") \
        >"$scratch/output" 2>&1 </dev/null
    code=$?
    if [ $code = 0 ] && cmp -s "$expected" "$scratch/output"; then return 0; fi
    echo "# exit code $code; what it printed (+) and should have (-):"
    diff -u --label expected --label got "$expected" "$scratch/output" | sed -n '3,60s/^/#   /p'
    return 1
}

number=0
failures=0
for guide in "${guides[@]}"; do
    rm -rf "$scratch/blocks" "$scratch/tree"
    mkdir "$scratch/blocks"
    cut_blocks "$guide"
    copy_sources
    for block in "$scratch"/blocks/*.sh; do
        number=$((number + 1))
        name="$(basename "$guide"): $(cat "${block%.sh}.name")"
        if follow "$block"; then
            echo "ok $number - $name"
        else
            echo "not ok $number - $name"
            failures=$((failures + 1))
            break
        fi
    done
done
echo "1..$number"
[ $failures = 0 ] && [ $number -gt 0 ]
