#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run.sh SOURCE DIRECTORY GUIDE...: follow guides (Markdown files) in a copy of the sources. Speaks TAP.
#
# The copy is DIRECTORY, with a build without optimization in DIRECTORY/build, as `make` would have made
# it. Both are kept: each guide starts with the sources as they are in SOURCE, and compiles only what
# changed. All else that a guide leaves behind is removed before the next one.
#
# The blocks marked ```sh are run one after the other, each with `bash -e`, at the top of the copy. If
# a block marked ```text follows before the next of them, it is what the commands must print, on stdout
# and stderr together; otherwise they must print nothing. Progress of make, meson and ninja does not
# count. Every such block is a test. After one that fails the rest of the guide is left out.

set -uo pipefail

usage="usage: run.sh SOURCE DIRECTORY GUIDE..."
source=$(cd "${1:?$usage}" && pwd) || exit 1
mkdir -p "${2:?$usage}" || exit 1
tree=$(cd "$2" && pwd) || exit 1
shift 2
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

# list_files DIRECTORY: its files, without builds, tests, downloads and git's own.
list_files() {
    (cd "$1" && find . \( -path ./.git -o -path './build*' -o -path ./tests -o -path ./bench/data -o \
        -path ./workloom-demo \) -prune -o ! -type d -print) | sort
}

# copy_sources: make the copy equal to the sources. Only files that differ are written, with the time of
# now, so that a build notices each change and nothing else.
copy_sources() {
    local file
    find "$tree" -mindepth 1 -maxdepth 1 -name 'build*' ! -name build -exec rm -rf {} +
    list_files "$source" >"$scratch/wanted"
    list_files "$tree" | comm -13 "$scratch/wanted" - | while read -r file; do rm -f "$tree/$file"; done
    find "$tree" -mindepth 1 -depth -type d -empty ! -path "$tree/build/*" -delete
    while read -r file; do
        if cmp -s "$source/$file" "$tree/$file"; then continue; fi
        mkdir -p "$tree/${file%/*}" && cp --preserve=mode "$source/$file" "$tree/$file" || return 1
    done <"$scratch/wanted"
}

# make_build: configure the build and bring it up to date.
make_build() {
    (
        cd "$tree" || exit 1
        if [ ! -e build/build.ninja ]; then
            meson setup --buildtype=debug -Dtests=false build || exit 1
        fi
        ninja -C build workloom
    ) >"$scratch/build.log" 2>&1 </dev/null
}

# without_progress: drop what make, meson and ninja print when all is well.
without_progress() {
    sed -E '/^\[[0-9]+\/[0-9]+\] /d; /^ninja: (Entering directory|no work to do)/d
        /^make(\[[0-9]+\])?: (Entering|Leaving) directory/d; /^INFO: /d; /^The Meson build system$/,/^Found ninja/d'
}

# follow BLOCK: run it and compare; what is wrong goes to stdout as TAP diagnostics.
follow() {
    local expected=${1%.sh}.text code
    if [ ! -e "$expected" ]; then expected=/dev/null; fi
    (cd "$tree" && exec env -u MAKEFLAGS -u NINJA_STATUS TERM=dumb TZ=UTC LC_ALL=C.UTF-8 bash -e "$1") \
        >"$scratch/all" 2>&1 </dev/null
    code=$?
    without_progress <"$scratch/all" >"$scratch/output"
    if [ $code = 0 ] && cmp -s "$expected" "$scratch/output"; then return 0; fi
    echo "# exit code $code; what it printed (+) and should have (-):"
    diff -u --label expected --label got "$expected" "$scratch/output" | sed -n '3,60s/^/#   /p'
    return 1
}

# bail_out WHY: end all tests, with the last lines of the build's output.
bail_out() {
    tail -n 20 "$scratch/build.log" 2>/dev/null | sed 's/^/# /'
    echo "Bail out! $1"
    exit 1
}

number=0
failures=0
for guide in "${guides[@]}"; do
    rm -rf "$scratch/blocks"
    mkdir "$scratch/blocks"
    cut_blocks "$guide"
    copy_sources || bail_out "the sources could not be copied to $tree"
    make_build || bail_out "the copy of the sources could not be built"
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
