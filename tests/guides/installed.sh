#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# installed.sh BUILD SOURCE: install a build below a scratch directory, compile the examples against what
# is installed there, as a user would with cc and pkg-config, and run their transcripts. Speaks TAP.

set -uo pipefail

usage="usage: installed.sh BUILD SOURCE"
build=$(cd "${1:?$usage}" && pwd) || exit 1
source=$(cd "${2:?$usage}" && pwd) || exit 1

scratch=$(mktemp -d "${TMPDIR:-/tmp}/workloom-installed.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/examples"

# Warnings are errors: the headers of a library must be silent in programs of others.
warnings=(-Wall -Wextra -Werror)
number=0
failures=0

# check NAME COMMAND...: one test; what the command prints is shown if it fails.
check() {
    local name=$1
    shift
    number=$((number + 1))
    if "$@" >"$scratch/log" 2>&1; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        sed 's/^/#   /' "$scratch/log" | head -60
        failures=$((failures + 1))
    fi
}

# bail_out WHY: end all tests.
bail_out() {
    sed 's/^/# /' "$scratch/log" | tail -n 20
    echo "Bail out! $1"
    exit 1
}

# flags OPTION...: what pkg-config prints for the installed library. The file names the final prefix, below
# which nothing is yet.
flags() {
    PKG_CONFIG_PATH=${pc%/*} pkg-config --define-variable=prefix="$prefix" "$@" workloom
}

# compile PROGRAM OPTION...: compile an example with these options and those of pkg-config.
compile() {
    local program=$1
    shift
    (cd "$scratch" && "${CC:-cc}" -std=c17 -Wpedantic "${warnings[@]}" "$source/examples/${program%.so}.c" -o "examples/$program" "$@")
}

# compile_program NAME: a program, which finds the library where it is installed.
compile_program() {
    local options
    read -r -a options < <(flags --cflags --libs)
    compile "$1" "${options[@]}" -Wl,-rpath,"$(flags --variable=libdir)"
}

# compile_plugin NAME: a plug-in, which needs the headers alone.
compile_plugin() {
    local options
    read -r -a options < <(flags --cflags)
    compile "$1.so" -shared -fPIC "${options[@]}"
}

# compile_headers LANGUAGE OPTION...: each public header alone.
compile_headers() {
    local header options language=$1
    shift
    read -r -a options < <(flags --cflags)
    for header in "$prefix"/include/workloom/*.h; do
        echo "#include <workloom/${header##*/}>" |
            "${CC:-cc}" -x "$language" "$@" "${warnings[@]}" -fsyntax-only "${options[@]}" - || return 1
    done
}

DESTDIR=$scratch/root meson install -C "$build" --no-rebuild --quiet >"$scratch/log" 2>&1 ||
    bail_out "the build could not be installed"
pc=$(find "$scratch/root" -name workloom.pc)
[ -n "$pc" ] || bail_out "workloom.pc is not installed"
prefix=$scratch/root$(PKG_CONFIG_PATH=${pc%/*} pkg-config --variable=prefix workloom)

check "headers, each alone, in C17" compile_headers c -std=c17 -Wpedantic
if "${CC:-cc}" -x c++ -fsyntax-only /dev/null 2>"$scratch/log"; then
    # Arrays without a size at the end of a struct are an extension there.
    check "headers, each alone, in C++17" compile_headers c++ -std=gnu++17
fi
for file in "$source"/examples/*.c; do
    name=$(basename "$file" .c)
    if grep -q LOOM_SCHEDULER_PLUGIN "$file"; then
        check "compile $name as a plug-in" compile_plugin "$name"
    else
        check "compile $name" compile_program "$name"
    fi
done
for file in "$source"/tests/examples/*.sh; do
    name=$(basename "$file" .sh)
    check "run $name" env SAMPLE_LOG="$scratch/examples/sample_log" bash "$source/tests/cli/run.sh" \
        "$prefix/bin/workloom" "$source/tests/examples" "$name"
done
echo "1..$number"
[ $failures = 0 ]
