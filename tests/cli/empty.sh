#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Logs without jobs, and selections that leave none: commands that tell of a log or hand it on take
# them, those that conclude something say all the same.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

toy_log >toy.swf
toy_log | grep '^;' >none.swf
: >empty.swf
toy_log | awk '/^;/ { print; next } { $5 = $8 = -1; print }' >sizeless.swf

session <<'END'
for log in none.swf empty.swf; do workloom info $log | grep -c jobs; workloom analyze $log --feature jobs -q; done
workloom convert none.swf new.swf && workloom clean none.swf new.swf
workloom convert toy.swf new.swf --users 99
workloom fit uniform none.swf
workloom fit uniform empty.swf
workloom fit uniform toy.swf --users 99
workloom analyze none.swf --fit runtime
workloom analyze toy.swf --fit runtime --users 99
workloom compare toy.swf none.swf
workloom compare none.swf --models all
workloom compare toy.swf toy.swf --users 99
workloom simulate none.swf
workloom simulate empty.swf
workloom simulate toy.swf --users 99
workloom simulate toy.swf --users '!3,4' --users 9 --from-time 2004-01-01 --job-procs 200:
workloom simulate sizeless.swf
workloom resample none.swf -o new.swf
workloom resample toy.swf -o new.swf --users 99
workloom validate none.swf
workloom validate empty.swf --procs 4
END
