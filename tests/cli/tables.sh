#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# analyze --table and the options that define features otherwise than the dictionary.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

# show EXPRESSION: of the document `d` on stdin.
show() {
    /usr/bin/env python3 -c 'import json, sys
d = json.load(sys.stdin)
print(json.dumps(eval(sys.argv[1])))' "$1"
}

"$SAMPLE_LOG" log.swf 3000
session <<'END_OF_SESSION'
workloom analyze log.swf -q --table bag-variability
workloom analyze log.swf -q --table bag-variability --csv out.csv; cat out.csv
workloom analyze log.swf -q --table rate-intervals --rate-interval 5400 | cut -c1-50
workloom analyze log.swf -q --table bag-variability --bag-gap 10 --json | show 'd["table"], d["definitions"], d["rows"][0]'
workloom analyze log.swf -q --table estimate-ratio --json | show 'd["table"], len(d["rows"])'
workloom analyze log.swf -q --session-method max_cut --session-gap 30 --session-cut 45 --bag-gap 60 --rate-interval 3600 --feature batch.,bot.count,session.last_cut.count,arrival.rate900,arrival.hurst.pox --json | show 'd["definitions"], [(k, d["changed"].get(k)) for k in d["features"]]'
workloom analyze log.swf --session-gap 30 --feature session.arrival.count 2>&1 | tail -3
workloom compare log.swf log.swf -q --resamples 5 --rate-interval 3600 --json | show 'd["score"], d["definitions"]["rate_interval_s"], d["changed"]["arrival.hurst.mean"]'
workloom analyze log.swf -q --table similarity-random --rounds 50 --csv a.csv; workloom analyze log.swf -q --table similarity-random --rounds 50 --csv b.csv --threads 3; cmp a.csv b.csv && cut -d, -f1 a.csv | sort -u | head -3
workloom analyze log.swf --table no-such
workloom analyze log.swf --csv out.csv
workloom analyze log.swf --table bag-sizes --html page.html
workloom analyze log.swf --rate-interval 0
workloom list tables | grep -e bag-variability -e session-lengths-cut
END_OF_SESSION
