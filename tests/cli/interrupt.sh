#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Stopped by a signal in the middle of writing, the command leaves no file, temporary or not, and of
# several files all that were there before.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

# Long enough to be caught at it on a busy machine: the same jobs four times.
"$SAMPLE_LOG" part.swf 200000
for _ in {1..4}; do cat part.swf; done >log.swf
rm part.swf
mkdir out

# stop_with SIGNAL COMMAND...: start a command that writes, wait for a temporary file of $awaited, and
# send a signal. Packing on one thread takes long enough for that; should it be through nevertheless,
# try again. What a script runs in the background ignores INT, and what nohup runs HUP, by default.
awaited=new
stop_with() {
    local pid code signal=$1
    shift
    for _ in {1..20}; do
        env --default-signal=INT,HUP workloom "$@" -q --threads 1 >/dev/null &
        pid=$!
        until compgen -G "out/.*$awaited*" >seen || ! kill -0 $pid 2>/dev/null; do :; done
        kill -"$signal" $pid 2>/dev/null
        wait $pid 2>/dev/null
        code=$?
        if [ -s seen ] && [ $code != 0 ]; then break; fi
        rm -f out/new.swf.gz
    done
    if [ -s seen ]; then echo 'it was writing'; fi
    return $code
}

session <<'END'
stop_with TERM convert log.swf out/new.swf.gz
ls -A out
stop_with INT convert log.swf out/new.swf.gz
ls -A out
stop_with HUP convert log.swf out/new.swf.gz
ls -A out
stop_with INT simulate log.swf -s fcfs -o out/new.swf.gz
ls -A out
for i in 1 2 3; do echo "old $i" >out/new-$i.swf.gz; done
awaited=new-3 stop_with INT resample log.swf -o out/new.swf.gz --variants 3
ls -A out
cat out/new-[123].swf.gz
END
