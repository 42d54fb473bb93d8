#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run.sh [--update] WORKLOOM [DIR [NAME...]]: transcripts of sessions with the command. Speaks TAP.
#
# Every DIR/NAME.sh (default: the directory of this script) runs in a fresh empty directory with
# `workloom` on its PATH; CLI_TESTS names DIR, and SAMPLE_LOG is handed on. What it prints and its exit
# code must be as the files beside it say:
#
#   NAME.stdout.exact, NAME.stderr.exact   byte for byte
#   NAME.stdout.glob,  NAME.stderr.glob    line by line, each a shell pattern; a line "..." stands for
#                                          any number of lines
#   NAME.stdout.ignore, NAME.stderr.ignore anything
#   NAME.exit                              exit code
#
# Without such a file a stream must be empty and the exit code 0. --update rewrites the exact files and
# exit codes to what happened; patterns are left to people. Read the difference before committing it.

set -uo pipefail

update=no
if [ "${1-}" = --update ]; then
    update=yes
    shift
fi
here=$(cd "$(dirname "$0")" && pwd)
workloom=$(realpath "${1:?usage: run.sh [--update] WORKLOOM [DIR [NAME...]]}") || exit 1
directory=$(cd "${2:-$here}" && pwd) || exit 1
shift $(($# > 2 ? 2 : $#))
names=("$@")

scratch=$(mktemp -d "${TMPDIR:-/tmp}/workloom-cli.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$workloom" "$scratch/bin/workloom"

if [ ${#names[@]} = 0 ]; then
    for script in "$directory"/*.sh; do
        name=$(basename "$script" .sh)
        if [ -e "$script" ] && [ "$name" != run ]; then names+=("$name"); fi
    done
fi

# matches PATTERNS LINES: whether the lines of one file match the patterns of another. The last "..."
# passed is the only one that has to be gone back to, as in any pattern with stars.
matches() {
    local patterns lines p=0 l=0 back_p=-1 back_l=0
    mapfile -t patterns <"$1"
    mapfile -t lines <"$2"
    while [ $l -lt ${#lines[@]} ]; do
        # shellcheck disable=SC2053 # patterns are meant to be patterns
        if [ $p -lt ${#patterns[@]} ] && [ "${patterns[p]}" = ... ]; then
            back_p=$p back_l=$l
            p=$((p + 1))
        elif [ $p -lt ${#patterns[@]} ] && [[ "${lines[l]}" == ${patterns[p]} ]]; then
            p=$((p + 1)) l=$((l + 1))
        elif [ $back_p -ge 0 ]; then
            back_l=$((back_l + 1))
            p=$((back_p + 1)) l=$back_l
        else
            return 1
        fi
    done
    while [ $p -lt ${#patterns[@]} ] && [ "${patterns[p]}" = ... ]; do p=$((p + 1)); done
    [ $p = ${#patterns[@]} ]
}

# difference EXPECTED GOT WHAT: as TAP diagnostics.
difference() {
    echo "# $3 is not as expected (- expected, + got):"
    diff -u --label expected --label got "$1" "$2" | sed -n '3,60s/^/#   /p'
}

# check_stream NAME STREAM: compare one output of the session with what the files say.
check_stream() {
    local expected=$directory/$1.$2 got=$scratch/$2
    if [ -e "$expected.ignore" ]; then return 0; fi
    if [ -e "$expected.glob" ]; then
        if matches "$expected.glob" "$got"; then return 0; fi
        if [ $update = yes ]; then echo "# $1.$2.glob does not match any more: mend it by hand"; fi
        difference "$expected.glob" "$got" "$2"
        return 1
    fi
    local exact=$expected.exact
    if [ ! -e "$exact" ]; then exact=/dev/null; fi
    if cmp -s "$exact" "$got"; then return 0; fi
    if [ $update = yes ]; then
        echo "# $1.$2.exact is rewritten"
        if [ -s "$got" ]; then cp "$got" "$expected.exact"; else rm -f "$expected.exact"; fi
        return 0
    fi
    difference "$exact" "$got" "$2"
    return 1
}

check_exit() {
    local file=$directory/$1.exit expected=0
    if [ -e "$file" ]; then read -r expected <"$file"; fi
    if [ "$2" = "$expected" ]; then return 0; fi
    if [ $update = yes ]; then
        echo "# $1.exit is rewritten"
        if [ "$2" = 0 ]; then rm -f "$file"; else echo "$2" >"$file"; fi
        return 0
    fi
    echo "# exit code is $2, expected $expected"
    return 1
}

# The script's own settings count, not those of whoever runs it.
run_session() {
    mkdir "$scratch/work"
    (
        cd "$scratch/work" || exit 99
        exec env -i PATH="$scratch/bin:/usr/local/bin:/usr/bin:/bin" HOME="$scratch/work" TERM=dumb \
            LC_ALL=C.UTF-8 TZ=UTC TMPDIR="$scratch" CLI_TESTS="$directory" \
            ${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} \
            ${UBSAN_OPTIONS:+UBSAN_OPTIONS="$UBSAN_OPTIONS"} \
            ${WORKLOOM_TRACES:+WORKLOOM_TRACES="$WORKLOOM_TRACES"} \
            ${SAMPLE_LOG:+SAMPLE_LOG="$SAMPLE_LOG"} \
            bash "$directory/$1.sh" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
    )
}

if [ ${#names[@]} = 0 ]; then
    echo "1..0 # SKIP there are no transcripts in $directory"
    exit 0
fi
echo "1..${#names[@]}"
number=0
failures=0
for name in "${names[@]}"; do
    number=$((number + 1))
    run_session "$name"
    code=$?
    good=yes
    check_exit "$name" $code || good=no
    check_stream "$name" stdout || good=no
    check_stream "$name" stderr || good=no
    if [ $good = yes ]; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        failures=$((failures + 1))
    fi
    chmod -R u+rwX "$scratch/work"
    rm -rf "$scratch/work"
done
[ $failures = 0 ]
