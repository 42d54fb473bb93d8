#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Figures that gnuplot fails on: the page and the other figures are written, with a warning. gnuplot is a
# stand-in here, which draws a rectangle but crashes at Gantt charts. A page also says how near a replay is.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

cat >log.swf <<'END'
; MaxProcs: 4
1  0 -1 10 3 -1 -1 3 10 -1 1 1 1 -1 1 -1 -1 -1
2  1 -1  5 4 -1 -1 4  5 -1 1 2 1 -1 1 -1 -1 -1
3  2 -1  5 1 -1 -1 1  5 -1 1 1 1 -1 1 -1 -1 -1
4 40 -1  8 1 -1 -1 1  8 -1 1 1 1 -1 1 -1 -1 -1
END
mkdir bin
cat >bin/gnuplot <<'END'
#!/bin/sh
grep -q boxxyerror "$2" && kill -SEGV $$
sed -n "s/^set output '\(.*\)'$/\1/p" "$2" | while read -r image; do
    echo '<svg viewBox="0 0 2 1"><desc></desc><rect width="2" height="1"/></svg>' >"$image"
done
END
chmod +x bin/gnuplot
export PATH=$PWD/bin:$PATH

session <<'END'
workloom simulate log.swf -q --html page.html --gantt 0:20
grep -c '<figure' page.html
grep -o 'The figure “Gantt chart” is left out.*' page.html
workloom simulate log.swf -q --figures figures --gantt 0:20
ls figures
workloom simulate log.swf -q --html stdin.html <&- && grep -c '<figure' stdin.html
workloom simulate log.swf -q --html stdout.html >&- && grep -c '<figure' stdout.html
workloom simulate log.swf -q --html stderr.html 2>&- && grep -c '<figure' stderr.html
workloom simulate log.swf -q --html all.html <&- >&- 2>&- && grep -c '<figure' all.html
sed 's/ -1 / 20 /' log.swf >waited.swf
workloom simulate waited.swf -q --html page.html
grep -o 'A replay of the log under .*' page.html
END
