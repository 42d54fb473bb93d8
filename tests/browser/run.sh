#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run.sh WORKLOOM DIRECTORY: open reports in headless Chromium at the width of a desk and of a phone,
# light and dark.
# Speaks TAP; skipped where there is no Chromium. $SAMPLE_LOG is the program that makes a log, and of
# the real logs in $WORKLOOM_TRACES one is taken where there are any. Pictures of what was seen stay in
# DIRECTORY.
#
# What is measured is measured by a script in a copy of the report, which tells the page around it;
# the report itself has none. The page around it is a frame of the wanted width, since Chromium's
# windows cannot be as narrow as a phone.

set -uo pipefail

# shellcheck source=tests/traces.inc
. "$(dirname "$0")/../traces.inc"
workloom=$(realpath "${1:?usage: run.sh WORKLOOM DIRECTORY}")
mkdir -p "${2:?usage: run.sh WORKLOOM DIRECTORY}"
pictures=$(realpath "$2")

chromium=
for name in ${CHROMIUM:+"$CHROMIUM"} chromium chromium-browser google-chrome; do
    if chromium=$(command -v "$name"); then break; fi
done
if [ -z "$chromium" ]; then
    echo "1..0 # SKIP no Chromium: install the package chromium to have reports looked at"
    exit 0
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/workloom-browser.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
number=0
status=0

# check OUTCOME WHAT [DETAIL]
check() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        status=1
        if [ -n "${3-}" ]; then printf '%s\n' "$3" | sed 's/^/# /'; fi
    fi
}

# browse OPTION...: what it prints goes to $scratch/out, its messages to $scratch/messages.
browse() {
    timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --hide-scrollbars --enable-logging=stderr --user-data-dir="$scratch/profile" \
        --virtual-time-budget=10000 "$@" >"$scratch/out" 2>"$scratch/messages"
}

# A copy of a report that measures itself.
measuring() {
    sed '/Content-Security-Policy/d; s|</body>|<script src="measure.js"></script></body>|' "$1"
}

cat >"$scratch/measure.js" <<'END'
// Contrast of two colours "rgb(R, G, B)", as WCAG 2 has it.
const luminance = colour => colour.match(/\d+/g).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
};
addEventListener('load', () => {
    document.querySelectorAll('details').forEach(e => { e.open = true });
    const cards = [...document.querySelectorAll('.card')];
    const ground = e => getComputedStyle(e).backgroundColor;
    const images = [...document.querySelectorAll('svg')];
    const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
    const size = e => e.getBoundingClientRect();
    parent.postMessage({
        width: innerWidth,
        figures: document.querySelectorAll('figure svg').length,
        sizeless: images.filter(e => !(size(e).width > 0 && size(e).height > 0)).length,
        hollow: [...document.querySelectorAll('figure svg')].filter(e => {
            const box = e.getBBox();
            return !(box.width > 0 && box.height > 0);
        }).length,
        twice: ids.length - new Set(ids).size,
        dangling: [...document.querySelectorAll('nav a')]
            .filter(a => !document.getElementById(a.hash.slice(1))).length,
        // Headings of columns are hidden on a phone: each cell has its own, but for what rows are of.
        nameless: innerWidth > 500 ? 0 : [...document.querySelectorAll('td:not(:first-child)')]
            .filter(e => e.textContent && !e.dataset.label && !e.matches('.missing')).length,
        clipped: innerWidth > 500 ? 0 : [...document.querySelectorAll('.scroll')]
            .filter(e => e.scrollWidth > e.clientWidth + 1).length,
        dark: cards.filter(e => luminance(ground(e)) < 0.05).length === cards.length,
        faint: [...document.querySelectorAll('figure:not(.wide) svg text')].filter(e =>
            contrast(getComputedStyle(e).fill, ground(e.closest('.card'))) < 4.5).length,
        wide: document.documentElement.scrollWidth > innerWidth,
    }, '*');
});
END

# frame WIDTH: a page around the copy, which notes what it is told.
frame() {
    cat <<END
<!DOCTYPE html><meta charset="utf-8"><style>:root{color-scheme:light dark}body{margin:0}
iframe{border:0}</style><body><script>
addEventListener('message', e => { document.body.dataset.told = JSON.stringify(e.data) });
</script><iframe src="copy.html" width="$1" height="9000"></iframe></body>
END
}

# look NAME WIDTH light|dark: the report NAME.html at a width, as a system with that scheme shows it.
look() {
    local name=$1 width=$2 what="$1 at $2 pixels, $3" told scheme=1
    [ "$3" = dark ] && scheme=0
    frame "$width" >"$scratch/frame.html"
    browse --blink-settings=preferredColorScheme=$scheme --window-size="$((width < 500 ? 500 : width)),9000" --dump-dom "file://$scratch/frame.html"
    told=$(sed -n 's/.*data-told="\([^"]*\)".*/\1/p' "$scratch/out" | sed 's/&quot;/"/g')
    has() { grep -qF "$1" <<<"$told"; }
    ! grep -q 'CONSOLE' "$scratch/messages"
    check $? "$what: nothing on the console" "$(grep CONSOLE "$scratch/messages")"
    has "\"width\":$width,"
    check $? "$what: is laid out at that width" "$told"
    has '"sizeless":0,' && has '"hollow":0,' && ! has '"figures":0,'
    check $? "$what: every figure has a size" "$told"
    has '"twice":0,'
    check $? "$what: no id is used twice" "$told"
    has '"dangling":0,'
    check $? "$what: every link between sections leads somewhere" "$told"
    has '"wide":false'
    check $? "$what: the page itself does not scroll sideways" "$told"
    has '"nameless":0,' && has '"clipped":0,'
    check $? "$what: cells of tables have their headings, and nothing is cut off" "$told"
    has "\"dark\":$([ "$3" = dark ] && echo true || echo false)," && has '"faint":0,'
    check $? "$what: figures are $3, and their text is legible" "$told"
    browse --blink-settings=preferredColorScheme=$scheme \
        --window-size="$((width < 500 ? 500 : width)),9000" \
        --screenshot="$pictures/$name-$width-$3.png" "file://$scratch/frame.html"
    [ -s "$pictures/$name-$width-$3.png" ]
    check $? "$what: a picture is taken"
}

# report NAME COMMAND...: the page that a command makes, and what can be said of it without a browser.
report() {
    local name=$1 page=$scratch/$1.html
    "$workloom" "${@:2}" -q --html "$page" >/dev/null 2>"$scratch/complaint"
    check $? "$name: the report is made" "$(cat "$scratch/complaint")"
    ! grep -qiE '<script|<link|<iframe|<object|@import|src=|url\(.?https?:| on[a-z]+=' "$page"
    check $? "$name: the report runs nothing and loads nothing"
    measuring "$page" >"$scratch/copy.html"
    look "$name" 1280 light
    look "$name" 390 dark
    browse --print-to-pdf="$pictures/$name.pdf" --no-pdf-header-footer "file://$page"
    [ "$(head -c 4 "$pictures/$name.pdf" 2>/dev/null)" = %PDF ]
    check $? "$name: can be printed"
}

logs=()
shopt -s nullglob
for log in "$WORKLOOM_TRACES"/{KTH,SDSC-SP2,OSC}*.swf.gz; do
    logs=("$log")
    break
done

echo "1..$((21 * (8 + ${#logs[@]}) + 1))"
"${SAMPLE_LOG:?SAMPLE_LOG names the program that makes a log}" "$scratch/sample.swf" 5000
report sample analyze "$scratch/sample.swf"
"$workloom" clean -q "$scratch/sample.swf" "$scratch/clean.swf" >/dev/null
"$workloom" convert -q "$scratch/clean.swf" "$scratch/part.swf" --first 2000
report compare compare "$scratch/clean.swf" "$scratch/part.swf" --resamples 5
report ranking compare "$scratch/clean.swf" --models all --replications 2 --resamples 5
report run simulate "$scratch/sample.swf" --gantt 3d:4d --gantt-by why
report policies simulate "$scratch/sample.swf" -s fcfs -s easy -s conservative
report loads simulate "$scratch/sample.swf" -s fcfs -s easy --load 0.3:0.9:0.1
report predictions predict "$scratch/sample.swf" --predictor all --by runtime
# The sample as a log of the archive; one claim is stored with another number in full, so that the
# page sets quick against full.
mkdir "$scratch/logs"
cp "$scratch/sample.swf" "$scratch/logs/KTH-SP2-1996-2.1-cln.swf"
"$workloom" reproduce --full feitelson2002/figure-4 --logs "$scratch/logs" --db "$scratch/claims.db" -q >/dev/null
python3 - "$scratch/claims.db" <<'END'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("UPDATE claims SET value = 0, low = -1, high = 1")
END
report reproduction reproduce feitelson2002 lublin2003/table-2 lublin2003/figure-3 zakay2017/ch2 zakay2017/ch4-figure-8 \
    zakay2017/ch6-figure-7 --logs "$scratch/logs" --db "$scratch/claims.db"
grep -q 'Quick against full' "$scratch/reproduction.html"
check $? "reproduction: quick is set against full"
for log in "${logs[@]}"; do
    report real analyze "$log"
done
exit $status
