#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The data of figures, as a data frame reads them: by default arguments alone, one header line and as many
# fields in each row. gnuplot is a stand-in here, which draws a rectangle.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

mkdir bin
cat >bin/gnuplot <<'END'
#!/bin/sh
sed -n "s/^set output '\(.*\)'$/\1/p" "$2" | while read -r image; do
    echo '<svg viewBox="0 0 2 1"><desc></desc><rect width="2" height="1"/></svg>' >"$image"
done
END
chmod +x bin/gnuplot
export PATH=$PWD/bin:$PATH

# tables DIR: the columns of all tables, each with its series where these are few words.
tables() {
    /usr/bin/env python3 -c '
import csv, math, os, sys
directory = sys.argv[1]
for name in sorted(os.listdir(directory)):
    stem, suffix = os.path.splitext(name)
    if suffix != ".csv":
        continue
    with open(os.path.join(directory, name), newline="", encoding="utf-8") as table:
        header, *rows = csv.reader(table, strict=True)
    assert rows, name
    assert len(set(header)) == len(header) > 1, (name, header)
    drawn = os.path.exists(os.path.join(directory, stem + ".gp"))
    for row in rows:
        assert len(row) == len(header), (name, row)
        for column, value in zip(header, row):
            if column in ("series", "cluster") or (column == header[0] and not drawn):
                assert value, (name, row)
            elif value or (drawn and column != "job"):
                assert math.isfinite(float(value)), (name, row)
    assert drawn == os.path.exists(os.path.join(directory, stem + ".svg")), name
    series = list(dict.fromkeys(row[0] for row in rows)) if header[0] == "series" else []
    shown = [s for s in series if not s.startswith(("user ", "component "))]
    print(name + (":" if drawn else " (table):"), ", ".join(header), *(["|", " | ".join(shown)] if shown else []))
' "$1"
}

"$SAMPLE_LOG" log.swf 3000
workloom convert -q log.swf part.swf --first 1500
workloom convert -q log.swf grid.swf --first 300
session <<'END'
workloom analyze log.swf -q --figures analyze; tables analyze
workloom compare log.swf part.swf -q --resamples 5 --figures compare; tables compare
workloom simulate log.swf -q --figures run --gantt 3d:4d --gantt-by why; tables run
workloom simulate log.swf -q -s fcfs -s lookahead:depth=5,order=sjf --figures policies; tables policies
workloom simulate log.swf -q -s fcfs -s easy --load 0.5,0.7 --figures loads >/dev/null; tables loads
workloom simulate grid.swf -q --platform das3 --background VU=part.swf --figures grid --gantt 1d:2d; tables grid
workloom simulate grid.swf -q --platform das3 --background VU=part.swf --load 0.5,0.7 --figures grid-loads >/dev/null; tables grid-loads
find analyze compare run policies loads grid grid-loads -type f ! -name '*.csv' ! -name '*.gp' ! -name '*.svg'
END
