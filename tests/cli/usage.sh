#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Command lines that make no sense: one line that names what was meant, exit code 2, nothing written.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

toy_log >toy.swf

session <<'END'
workloom
workloom conver toy.swf out.swf
workloom frobnicate
workloom --vresion
workloom --json info toy.swf
workloom help celan
workloom help minh
workloom help eas
workloom help lublin
workloom help sjf
workloom help order
workloom help features
workloom simulate toy.swf -s eas
workloom simulate toy.swf -s sjf
workloom simulate toy.swf -s wfp3:order=fcfs
workloom simulate toy.swf --policy easy
workloom validate toy.swf --scheduler easy
workloom simulate toy.swf --order sjf
workloom simulate easy toy.swf
workloom toy.swf
workloom easy
workloom json
workloom orders
workloom help simulat
workloom help jsno
workloom info toy.swf --max
workloom help help help
workloom help queue fit | head -1
workloom help queue mixd
workloom help info fit
workloom list policies
workloom list reproduce
workloom list format
workloom list zebras
workloom simulate toy.swf -s easy,fcfs
workloom simulate toy.swf --load 0.9:0.5:0.1
workloom fit toy.swf minh2012:variant=improved
workloom info
workloom convert toy.swf
workloom convert toy.swf out.swf third.swf
workloom clean toy.swf
workloom info toy.swf --jsno
workloom info toy.swf --dry-run
workloom info toy.swf -x
workloom info toy.swf -qx
workloom convert toy.swf out.swf --selct ran
workloom convert toy.swf out.swf --select rna
workloom convert toy.swf out.swf --select some
workloom clean toy.swf out.swf --flurries yes
workloom convert toy.swf out.swf --to batsmi
workloom convert toy.swf out.swf --to xls
workloom convert toy.swf out.swf --to sacct
workloom convert --from sfw toy.swf out.swf
workloom convert toy.swf out.swf --users anne
workloom convert toy.swf out.swf --users zacharias
workloom convert toy.swf out.swf --users 7-3
workloom convert toy.swf out.swf --users 99999999999
workloom convert toy.swf out.swf --queues bacth
workloom convert toy.swf out.swf --procs 4:2
workloom convert toy.swf out.swf --procs many
workloom convert toy.swf out.swf --procs 4
workloom simulate toy.swf --procs 1:4
workloom validate toy.swf --procs 1:4
workloom convert toy.swf out.swf --from-time yesterday
workloom convert toy.swf out.swf --from-time 2003-02-30
workloom convert toy.swf out.swf --first 0
workloom convert toy.swf out.swf --first two
workloom convert toy.swf out.swf --first 99999999999999999999
workloom convert toy.swf out.swf --threads 5000
workloom convert toy.swf out.swf --threads -1
workloom convert toy.swf out.swf --threads
workloom convert toy.swf out.swf --max-bytes 5X
workloom convert toy.swf out.swf --max-bytes 0
workloom convert toy.swf out.swf --max-bytes 99999999999G
workloom convert toy.swf out.swf --json=yes
workloom convert toy.swf - --json
workloom clean toy.swf - --json
workloom clean toy.swf out.swf --json --dropped -
workloom clean toy.swf out.swf --dropped out.swf
workloom clean toy.swf out.swf --dropped toy.swf
workloom clean toy.swf out.swf --flurry ann
workloom clean toy.swf out.swf --flurry anne:0:100
workloom clean toy.swf out.swf --flurry ann:then:now
workloom clean toy.swf out.swf --flurry ann:100:0
workloom clean toy.swf out.swf --flurry-share 2
workloom clean toy.swf out.swf --max-gap soon
ls -A
workloom convert toy.swf out.swf --first two 2>/dev/null
workloom reproduce minh2012/table-3.1 --logs . -q | grep -o 'minh2012/table-[^ ]*' | sort -u
workloom experiment --help
workloom help experiment | cmp - <(workloom experiment -h)
END
