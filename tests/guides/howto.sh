#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# howto.sh WORKLOOM SAMPLE_LOG PAGE BLOCKS: run the commands of a page, of at least BLOCKS blocks. Speaks TAP.
#
# Every block marked ```sh runs with `bash -e` in one directory, with the sample log as log.swf. A block
# fails if a command fails or if a file that it names as output is missing or empty.

set -uo pipefail

usage="usage: howto.sh WORKLOOM SAMPLE_LOG PAGE BLOCKS"
PATH=$(dirname "$(realpath "${1:?$usage}")"):$PATH
export PATH COLUMNS=100
sample_log=$(realpath "${2:?$usage}")
page=$(realpath "${3:?$usage}")
blocks=${4:?$usage}

scratch=$(mktemp -d "${TMPDIR:-/tmp}/workloom-howto.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/blocks" "$scratch/run"
cd "$scratch/run" || exit 1
"$sample_log" log.swf >/dev/null || exit 1

# Each block as NN.sh, the heading above it as NN.name.
awk -v at="$scratch/blocks/" '
    !inside && /^#/ { heading = $0; sub(/^#+ */, "", heading) }
    !inside && /^```sh$/ { inside = 1; n++; print heading >sprintf("%s%02d.name", at, n); next }
    inside && /^```$/ { inside = 0; next }
    inside { print >sprintf("%s%02d.sh", at, n) }' "$page"

# outputs BLOCK: files that its commands write.
outputs() {
    grep -oE -- '(-o|--html|--csv|--db|--figures|--dropped) [^ ]+' "$1" | cut -d' ' -f2
    sed -nE 's/^workloom (convert|clean) .* ([^ -][^ ]*\.swf)( --dropped .*)?$/\2/p' "$1"
}

# missing BLOCK: outputs that do not exist or are empty. A name of variants stands for its copies.
missing() {
    local file
    for file in $(outputs "$1"); do
        if [ -s "$file" ] || [ -s "${file%.swf}-1.swf" ] || [ -s "${file%.swf}-01.swf" ]; then continue; fi
        echo "missing or empty: $file"
    done
}

number=0
failures=0
for block in "$scratch"/blocks/*.sh; do
    number=$((number + 1))
    bash -e "$block" >"$scratch/out" 2>"$scratch/err" </dev/null
    code=$?
    lost=$(missing "$block")
    if [ $code = 0 ] && [ -z "$lost" ]; then
        echo "ok $number - $(cat "${block%.sh}.name")"
    else
        echo "not ok $number - $(cat "${block%.sh}.name")"
        echo "# exit code $code $lost"
        tail -n 20 "$scratch/err" | sed 's/^/# /'
        failures=$((failures + 1))
    fi
done
echo "1..$number"
[ $failures = 0 ] && [ $number -ge "$blocks" ]
