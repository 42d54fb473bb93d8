#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Files that cannot be read or written, full disks: one line on stderr that names the file and the
# reason, exit code 1, and nothing left behind. Closed pipes: the same without a word, by SIGPIPE,
# or with one where that is ignored.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

toy_log >toy.swf
"$SAMPLE_LOG" large.swf 20000
mkdir out locked
cp toy.swf locked/secret.swf
chmod 000 locked/secret.swf

# Root may read everything, unless it gives that up.
if [ "$(id -u)" = 0 ]; then
    as_owner() { setpriv --bounding-set=-dac_override,-dac_read_search "$@"; }
else
    as_owner() { "$@"; }
fi

# Where root cannot give it up there is nothing to see.
deny() {
    if as_owner test -e locked/secret.swf && ! as_owner test -r locked/secret.swf; then
        as_owner workloom "$@"
    else
        echo "workloom: ${!#}: cannot open: Permission denied"
        return 1
    fi
}

deny_writing() {
    chmod 555 out
    if as_owner test -e out && ! as_owner test -w out; then
        as_owner workloom convert toy.swf "$1"
    else
        echo "workloom: $1: cannot open for writing: Permission denied"
        false
    fi
    local code=$?
    chmod 755 out
    return $code
}

# Run a command whose stdout is a pipe that nobody reads any more.
closed_pipe() {
    local code
    mkfifo pipe
    # shellcheck disable=SC2094 # that is the trick
    exec 6<>pipe 7>pipe 6>&-
    env --default-signal=PIPE "$@" >&7
    code=$?
    rm pipe
    return $code
}

session <<'END'
workloom info missing.swf
workloom convert missing.swf out/new.swf
workloom info no/such/folder/log.swf
workloom info .
workloom convert out out/new.swf
workloom info toy.swf/log.swf
deny info locked/secret.swf
deny info toy.swf locked/secret.swf
deny_writing out/new.swf
workloom convert toy.swf missing/new.swf
workloom clean toy.swf missing/new.swf
workloom clean toy.swf out/new.swf --dropped missing/dropped.swf
workloom simulate toy.swf -o missing/new.swf
workloom analyze toy.swf --html missing/report.html
workloom analyze toy.swf --figures missing/figures
workloom analyze toy.swf --figures toy.swf
workloom compare toy.swf large.swf --html out
workloom compare large.swf --models all --figures missing/figures
workloom generate lublin2003 -o missing/new.swf
workloom fit bootstrap large.swf -o missing/model.json
workloom convert toy.swf out
workloom convert toy.swf toy.swf/new.swf
workloom convert toy.swf ''
workloom convert toy.swf out/new.dat
workloom convert toy.swf out/new
workloom clean toy.swf out/new.swf --dropped out/dropped.txt
workloom simulate toy.swf -o out/new.sfw
workloom generate lublin2003 -o out/new.log.gz
workloom convert toy.swf out/new.dat --to swf && rm out/new.dat
workloom info ''
workloom convert toy.swf /dev/full
workloom convert toy.swf /dev/full --to csv
workloom convert large.swf /dev/full --to gwf
workloom convert large.swf /dev/full --to batsim --select ran
workloom clean toy.swf /dev/full
workloom clean toy.swf /dev/full --dropped out/dropped.swf
workloom clean toy.swf out/new.swf --dropped /dev/full
ls -A out
workloom simulate toy.swf -q --html out/page.html --figures out/figures -o /dev/full
ls -A out
workloom simulate toy.swf -q --html /dev/full --figures out/figures -o out/new.swf
ls -A out
workloom simulate toy.swf -q -s fcfs -s easy --figures out/figures --json >/dev/full
ls -A out
workloom analyze toy.swf -q --html out/page.html --figures out/figures --json >/dev/full
ls -A out
workloom simulate toy.swf -o out/same --html out/same
workloom simulate toy.swf --html - --json
workloom clean toy.swf out/same.swf --dropped ./out/same.swf -q
ls -A out
workloom simulate toy.swf --select all -o out/new.json
workloom simulate toy.swf --select all -o out/new.json --json
workloom simulate toy.swf -q --select ran -o out/new.json --json >/dev/full
workloom simulate toy.swf -o /dev/full
workloom resample toy.swf -o out/new.json --as-is --json
workloom resample toy.swf -o out/new.json --as-is --variants 3
workloom resample toy.swf -o missing/new.swf --variants 3
workloom resample toy.swf -o out/new.swf --map missing/map.csv
workloom resample toy.swf -o out/new.swf --map out/map.csv --as-is --json >/dev/full
workloom resample toy.swf -o /dev/full --map out/map.csv --as-is --json
workloom generate poisson --jobs 10 -o out/new.json --json
workloom generate uniform --jobs 10 -o out/new.json --json >/dev/full
workloom convert toy.swf out/new.json --json
workloom clean toy.swf out/new.json --keep-unrun
workloom generate uniform --jobs 200 -q -o whole.swf
workloom fit uniform whole.swf -o out/model.json --json >/dev/full
workloom fit uniform whole.swf -o /dev/full --json
ls -A out
workloom generate lublin2003 -o ''
workloom convert toy.swf - >/dev/full
workloom convert large.swf - -q >/dev/full
workloom convert toy.swf out/new.swf --json >/dev/full
workloom clean toy.swf out/new.swf >/dev/full
workloom clean toy.swf out/new.swf --json >/dev/full
workloom clean toy.swf - >/dev/full
workloom info toy.swf >/dev/full
workloom info toy.swf --json >/dev/full
workloom list formats >/dev/full
workloom list formats --json >/dev/full
workloom help >/dev/full
workloom help clean >/dev/full
workloom help --man >/dev/full
workloom --version >/dev/full
ls -A out
(ulimit -f 100; workloom convert large.swf out/new.swf)
(ulimit -f 100; workloom convert large.swf out/new.swf.gz --threads 2)
ls -A out
closed_pipe workloom convert large.swf - -q
closed_pipe workloom convert toy.swf - --to csv
closed_pipe workloom convert toy.swf out/new.swf --json
closed_pipe workloom clean toy.swf out/new.swf
closed_pipe workloom info toy.swf
closed_pipe workloom info toy.swf --json
closed_pipe workloom help clean
closed_pipe workloom convert large.swf out/new.swf --json
closed_pipe env --ignore-signal=PIPE workloom info toy.swf
env --default-signal=PIPE workloom convert large.swf - -q | head -c 1 >/dev/null; echo "exit codes ${PIPESTATUS[*]}"
env --default-signal=PIPE workloom convert large.swf - -q --threads 2 | head -c 1 >/dev/null; echo "exit codes ${PIPESTATUS[*]}"
ls -A out
workloom convert toy.swf - >&-
workloom info - <&-
workloom convert toy.swf out/new.swf 2>&- && ls -A out
workloom convert missing.swf out/other.swf 2>/dev/full
printf 'old\n' >out/new.swf
sed 's/^1 /x /' toy.swf >letters.swf
workloom convert letters.swf out/new.swf
workloom convert large.swf out/new.swf --users nobody
cat out/new.swf
workloom convert toy.swf /dev/null
ls -A out
ls -A
END
