#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run.sh WORKLOOM BUILD_DIR: let every request for memory and every request to the file system fail, one
# after the other, and see that the command bears it. BUILD_DIR holds failmalloc.so and failio.so (or
# libfail...) somewhere below. Speaks TAP.
#
# Each command first runs untouched: that gives the output it must have and the blocks of memory that
# it leaves at exit. Then it runs with request N failing, for N = 1, 2, 3, ... to the last one (in
# growing steps past 200), and must each time
#   - end by itself with exit code 0 or 1;
#   - with 0: have the same output as untouched; failures of no consequence may be borne in silence
#     (a command marked ~ may also do without what it could not get, as the zone of a log, and say so);
#   - with 1: say so in one line on stderr, and leave no file in the output directory;
#   - leave no more blocks than untouched.

set -uo pipefail

usage="usage: run.sh WORKLOOM BUILD_DIR"
workloom=$(realpath "${1:?$usage}")
build=$(realpath "${2:?$usage}")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/workloom-faults.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir out

export LC_ALL=C LOOM_FAIL_REPORT=$scratch/report

shim() {
    find "$build" -name "$1.so" -o -name "lib$1.so" | head -n 1
}

# A log with all that a header and jobs can hold, and the same with a zone to look up.
make_logs() {
    {
        printf '; %s\n' 'Version: 2.2' 'Computer: Loom' 'MaxJobs: 400' 'MaxProcs: 64 (two racks)' \
            'UnixStartTime: 1000000000' 'TimeZone: 3600' 'Queue: 1 batch' 'Partition: 1 all' \
            'Note: invented'
        awk 'BEGIN {
            for (i = 1; i <= 400; i++)
                printf "%d %d %d %d %d %.2f %d %d %d -1 %d %d 1 %d 1 1 -1 -1\n", i, i * 37,
                    i % 50, (i * 271) % 5000 - (i % 19 == 0), 2 ^ (i % 7), (i * 13) % 900 / 4, i,
                    2 ^ (i % 7), 600 * (1 + i % 9), i % 6, 1 + i % 11, 1 + i % 5 }'
    } >log.swf
    gzip -nc log.swf >log.swf.gz
    head -n 70 log.swf >short.swf
    awk '!/^;/ { $2 *= 1500 } { print }' log.swf >weeks.swf
    "$workloom" fit bootstrap -q log.swf -o model.json
    gzip -nk model.json
    "$workloom" fit mmwm -q --param scale=60 --param variant=improved log.swf -o wavelets.json
    "$workloom" fit usergraph -q log.swf -o users.json
    "$workloom" simulate -q log.swf -s easy -o schedule.swf >/dev/null
    { echo '; TimeZoneString: Europe/Stockholm' && cat log.swf; } >zoned.swf
    cat >platform.json <<'END'
{"workloom_platform": 1, "grid": {"choose": "next"}, "clusters": [
    {"name": "a", "procs": 64, "background": "log.swf"},
    {"name": "b", "procs": 32, "scheduler": "conservative", "model": "uniform"}]}
END
}

# Figures are drawn by a stand-in for gnuplot, which takes no time: each is one rectangle, in the file
# that the script names.
make_gnuplot() {
    mkdir bin
    cat >bin/gnuplot <<'END'
#!/bin/sh
sed -n "s/^set output '\(.*\)'$/\1/p" "$2" | while read -r image; do
    echo '<svg viewBox="0 0 2 1"><rect width="2" height="1"/></svg>' >"$image"
done
END
    chmod +x bin/gnuplot
    PATH=$scratch/bin:$PATH
}

# run_once LIBRARY ENVIRONMENT... -- ARGUMENT...: leaves code, failed, live.
run_once() {
    local library=$1 settings=()
    shift
    while [ "$1" != -- ]; do
        settings+=("$1")
        shift
    done
    shift
    rm -rf out report
    mkdir out
    env "${settings[@]}" LD_PRELOAD="$library" "$workloom" "$@" >stdout 2>stderr
    code=$?
    failed=0 live=0
    if [ -e report ]; then read -r _ failed live <report; fi
}

same_as_untouched() {
    cmp -s stdout stdout.untouched && diff -rq out out.untouched >/dev/null
}

# What is wrong with the last run, or nothing.
complaint() {
    local lines left=(out/* out/.[!.]*)
    # Warnings that an untouched run prints too may come before the error.
    mapfile -t lines < <(grep -vxFf stderr.untouched stderr)
    if [ "$code" -gt 128 ]; then
        echo "ended by signal $((code - 128))"
    elif [ "$code" -gt 1 ]; then
        echo "ended with exit code $code"
    elif [ ! -e report ]; then
        echo "did not end by returning or exit()"
    elif [ "$code" = 0 ] && [ "$lenient" = no ] && ! same_as_untouched; then
        echo "claims success with another output than untouched"
    elif [ "$code" = 1 ] && [ "${#lines[@]}" != 1 ]; then
        echo "says ${#lines[@]} lines instead of one"
    elif [ "$code" = 1 ] && [[ "${lines[0]}" != workloom:\ ?* ]]; then
        echo "says something that does not begin with 'workloom: '"
    elif [ "$code" = 1 ] && [ ${#left[@]} != 0 ]; then
        echo "left ${left[*]}"
    elif [ "$live" -gt "$live_untouched" ]; then
        echo "leaves $((live - live_untouched)) blocks of memory"
    fi
}

# walk LIBRARY SETTING ARGUMENT...: all N; complaints as TAP diagnostics. SETTING may be empty.
walk() {
    local library=$1 setting=$2 n=0 step wrong bad=0
    shift 2
    run_once "$library" LOOM_FAIL_AT=0 -- "$@"
    if [ "$code" != 0 ] || [ ! -e report ]; then
        echo "# untouched, it ends with exit code $code:"
        sed 's/^/#   /' stderr
        return 1
    fi
    live_untouched=$live
    rm -rf out.untouched
    mv out out.untouched
    mv stdout stdout.untouched
    mv stderr stderr.untouched
    while :; do
        step=1
        if [ $n -ge 200 ]; then step=$((n / 40)); fi
        n=$((n + step))
        run_once "$library" LOOM_FAIL_AT=$n ${setting:+"$setting"} -- "$@"
        wrong=$(complaint)
        if [ -n "$wrong" ]; then
            echo "# request $n: $wrong"
            sed -n '1,5s/^/#   /p' stderr
            bad=$((bad + 1))
        fi
        if [ -e report ] && [ "$failed" = 0 ]; then break; fi
        if [ $bad -ge 5 ]; then
            echo "# ... and so on"
            break
        fi
        # A run that ended without its report says nothing of the end: go on, but not for ever.
        if [ ! -e report ] && [ $n -gt 100000 ]; then break; fi
    done
    echo "# $((n - 1)) requests walked through"
    [ $bad = 0 ]
}

tests=0
failures=0
say() {
    tests=$((tests + 1))
    if [ "$1" = 0 ]; then
        echo "ok $tests - $2"
    else
        echo "not ok $tests - $2"
        failures=$((failures + 1))
    fi
}

shopt -s nullglob
make_logs
make_gnuplot
malloc=$(shim failmalloc)
io=$(shim failio)
if [ -z "$malloc" ] || [ -z "$io" ]; then
    echo "Bail out! there is no failmalloc.so or failio.so below $build"
    exit 1
fi

while read -r mark arguments; do
    lenient=no
    if [ "$mark" = '~' ]; then lenient=yes; fi
    read -r -a words <<<"$arguments"
    for mode in "$malloc::memory, one request" "$malloc:LOOM_FAIL_ON=1:memory, all from one on" \
        "$io::files, one request" "$io:LOOM_FAIL_ON=1:files, all from one on" \
        "$io:LOOM_FAIL_SHORT=1:files, half of one request"; do
        IFS=: read -r library setting what <<<"$mode"
        walk "$library" "$setting" "${words[@]}"
        say $? "workloom $arguments: $what"
    done
done <<'COMMANDS'
= info --threads 1 log.swf
~ info --threads 1 zoned.swf
= convert --threads 1 log.swf.gz out/new.swf.gz
= convert --threads 1 log.swf out/new.json
= clean --threads 1 log.swf.gz out/clean.swf --dropped out/dropped.swf
= queue mixed --threads 1 --lambda 0.2 --users 3 --servers 2 --simulate --jobs 500 --json
= queue reopen --threads 1 --sweep lambda=0.2,0.5 --repeat shmueli --repeat exponential --users 200 --csv out/queue.csv -q
= queue fit --threads 1 --replications 2 weeks.swf
= simulate --threads 1 -s easy log.swf -o out/easy.swf
= simulate --threads 1 -s conservative --json log.swf.gz
= simulate --threads 1 -s selective --overrun extend log.swf -o out/selective.swf
= simulate --threads 1 -s easy --explain 5 log.swf
= simulate --threads 1 -s fcfs -s easy --load 0.5,0.7 --by user --warm-up 10 --json log.swf
= simulate --threads 1 -s ups --explain 5 --json log.swf
= simulate --threads 1 -s fcfs -s easy --load 0.6 --csv - log.swf
= simulate --threads 1 -s easy --estimates uniform:2 --csv out/runs.csv -q log.swf -o out/requests.swf
= simulate --threads 1 -s fcfs -s easy --load 0.5,0.7 --by user -q --html out/loads.html short.swf
= simulate --threads 1 -s easy -q --html out/page.html --gantt 0:1h --figures out/figures short.swf
= simulate --threads 1 --feedback fluid:skipped=week -s ups --json log.swf
= simulate --threads 1 -s fcfs -s easy --by size --feedback fluid log.swf
= simulate --threads 1 --feedback distribution log.swf -o out/feedback.swf
= simulate --threads 1 --users resampled --long-term-weeks 0 --edge-weeks 0 --weeks 1 --feedback adjusted -q log.swf -o out/people.swf
= simulate --threads 1 --model model.json -s easy -s fcfs --replications 2 -q --csv out/runs.csv log.swf
= simulate --threads 1 --model uniform --load 0.6 --estimates f:2 --json log.swf
= simulate --threads 1 --platform platform.json --json log.swf
= simulate --threads 1 --platform platform.json -q --background-load 0.4 log.swf -o out/grid.swf --background-output a=out/a.swf
= simulate --threads 1 --platform platform.json -s fcfs -s easy --background-load 0.4 --load 0.5,0.9 --json log.swf
= simulate --threads 1 --platform platform.json --background-shift -370 -q log.swf
= simulate --threads 1 --users resampled --long-term-weeks 0 --edge-weeks 0 --weeks 1 -q --by user --html out/people.html short.swf
= simulate --threads 1 --platform platform.json -q --gantt 0:1h --html out/grid.html short.swf
= simulate --threads 1 --platform platform.json --csv out/runs.csv log.swf
= simulate --threads 1 --platform platform.json --explain 50 --json log.swf
= simulate --threads 1 --platform platform.json --explain a=50 log.swf
= simulate --threads 1 -s easy-sjbf --predictor online --correction incremental --json log.swf
= predict --threads 1 --predictor online --predictor minh2010:range=log --predictor ibl --by size -q log.swf --csv out/errors.csv
= predict --threads 1 --tune minh2010:k1=3 --population 2 --generations 1 -q log.swf -o out/tuned.json
= validate --threads 1 --policy easy --exact -q --against schedule.swf schedule.swf
= fit uniform --threads 1 log.swf -o out/model.json
= generate --threads 1 model.json.gz -o out/new.swf
= fit mmwm --threads 1 --param scale=60 --param variant=improved log.swf -o out/model.json
= generate --threads 1 wavelets.json --without lrd -o out/new.swf
= fit usergraph --threads 1 log.swf -o out/model.json
= generate --threads 1 users.json --set population=drawn --without burstiness -o out/new.swf
= resample --threads 1 --long-term-weeks 0 --edge-weeks 0 log.swf -o out/new.swf --map out/map.csv
= resample --threads 1 --as-is --shake session --locality 0.5 --clock wall log.swf -o out/new.swf
= fit minh2012:variant=improved,scale=60 --threads 1 --json short.swf -o out/model.json
= fit minh2012:bags=settled,arrivals=poisson --threads 1 short.swf -o out/model.json
= compare -q --threads 1 --resamples 5 short.swf log.swf.gz
= compare -q --threads 1 --resamples 5 --replications 1 --models uniform:arrivals=onoff,model.json --json short.swf
COMMANDS
echo "1..$tests"
[ $failures = 0 ]
