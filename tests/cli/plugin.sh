#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Policies of shared objects: listed, explained, run, validated, on a grid too; and what is refused.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

build=$(dirname "$(realpath "$(command -v workloom)")")
cp "$build/examples/own_policy.so" "$build/tests/template_plugin.so" "$build"/tests/faulty_*.so .
ln -s "$build/tests/linked_plugin.so" linked.so # which finds libworkloom.so from where it is
cp "$build/tests/linked_plugin.so" lost.so
echo 'not a shared object, however long it is: it has no ELF header, and never had one before' >text.so

# job submit run procs, on 4 processors: jobs 3 and 4 would fit before the reservation of job 2.
{
    echo '; MaxProcs: 4'
    awk '{ print $1, $2, -1, $3, $4, -1, -1, $4, $3, -1, 1, 1, -1, -1, -1, -1, -1, -1 }'
} >log.swf <<'END'
1 0 10 3
2 1  5 4
3 2  8 1
4 2  3 1
END
cat >grid.json <<'END'
{"workloom_platform": 1, "clusters": [{"name": "a", "procs": 4, "scheduler": "easy-short:longest=3"}]}
END

starts() {
    awk '!/^;/ { printf "%s%d at %d", n++ ? ", " : "", $1, $2 + $3 } END { print "" }' "$@"
}

session <<'END'
COLUMNS=300 workloom list schedulers --plugin own_policy.so | tail -2 | tr -s ' -'
COLUMNS=160 workloom list schedulers --plugin ./own_policy.so --plugin template_plugin.so --json | tail -14
workloom help easy-short --plugin own_policy.so
workloom help schedulers --plugin own_policy.so | grep easy-short
workloom help easy-shrot --plugin own_policy.so
workloom simulate log.swf -q -s easy -o - | starts
workloom simulate log.swf -q --plugin own_policy.so -s easy-short -o - | starts
workloom simulate log.swf -q --plugin own_policy.so -s easy-short -p longest=3 -o short.swf --json | grep scheduler
starts short.swf
workloom simulate log.swf -q --plugin linked.so -s easy-short:longest=3 -o - | starts
workloom simulate log.swf --plugin own_policy.so -s easy -s easy-short -s template --plugin template_plugin.so --json | grep '"scheduler"'
workloom simulate log.swf --plugin own_policy.so -s all --json | grep '"scheduler"'
workloom simulate log.swf --plugin own_policy.so -s easy-short --explain 4 -q | head -4
workloom simulate log.swf --plugin own_policy.so --platform grid.json -q -o - | starts
workloom simulate log.swf --platform grid.json -q
workloom validate short.swf --plugin own_policy.so --policy easy-short:longest=3
workloom validate short.swf --plugin own_policy.so --policy easy-short
workloom simulate log.swf --plugin own_policy.so -s easy-short:longest=0
workloom simulate log.swf --plugin own_policy.so -s easy-short:shortest=3
workloom simulate log.swf -s easy-short
workloom simulate log.swf --plugin none.so -s easy-short
workloom simulate log.swf --plugin text.so
workloom simulate log.swf --plugin .
workloom simulate log.swf --plugin faulty_symbol.so
workloom simulate log.swf --plugin faulty_undefined.so
workloom simulate log.swf --plugin faulty_abi.so
workloom simulate log.swf --plugin faulty_empty.so
workloom simulate log.swf --plugin faulty_second.so
workloom simulate log.swf --plugin own_policy.so --plugin ./linked.so
workloom simulate log.swf --plugin lost.so
workloom generate lublin2003 --plugin own_policy.so
# The command exports what plug-ins may use, and nothing private.
nm -D --defined-only "$build/workloom" | grep -cE ' (loom_sim_start|loom_queue_next_fit|loom_stream_uniform|loom_order_names)$'
nm -D --defined-only "$build/workloom" | grep -E ' (main|find_command|load_plugins|loom_profile_advance|loom_scheduler_parse)$'
END
