#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# hardening.sh READELF PROGRAM: fail unless the program is position-independent, has a stack that is
# not executable, relocations that are read-only from its start on, stack protectors, and checked
# variants of functions that write to buffers.

set -u
readelf=$1
program=$2
count=0
failed=0

# expect WHAT PATTERN OPTION: the output of readelf must match.
expect() {
    count=$((count + 1))
    if grep -qE "$2" <<<"$("$readelf" -W "$3" "$program" 2>/dev/null)"; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        failed=1
    fi
}

expect "position-independent" 'Type: +DYN' --file-header
expect "stack without execute permission" 'GNU_STACK.* RW +0x' --program-headers
expect "read-only relocations" 'GNU_RELRO' --program-headers
expect "symbols bound at start" 'FLAGS.*(BIND_NOW|NOW)' --dynamic
expect "stack protector" '__stack_chk_fail' --dyn-syms
expect "checked buffer functions" '__(snprintf|memcpy|vsnprintf)_chk' --dyn-syms
echo "1..$count"
exit $failed
