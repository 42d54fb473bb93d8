#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Queueing models: tables, JSON, CSV, sweeps, figures, what is refused with its bound, and the same
# bytes for any number of threads.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

session <<'END'
workloom queue mixed --lambda 0.2 --users 3
workloom queue mixed --lambda 0.2 --users 3 --simulate --jobs 20000
workloom queue mixed --lambda 0.5 --users 3 --think 0 --servers 2 --json
workloom queue mixed --lambda 0.1 --users 3 --repeat shmueli --jobs 20000
workloom queue mixed --lambda 0 --users 3 --think linear:5:1 --jobs 20000 -q
workloom queue reopen --lambda 0.5 --repeat constant:0.36 --think 1 --users 20000
workloom queue reopen --lambda 0.5 --repeat exponential --think 1 --users 20000 --quotients --json
workloom queue reopen --lambda 0.5 --repeat exponential --service-dist gamma:0.5:2 --users 20000 -q
workloom queue mixed --sweep N=1:4 --sweep lambda=0,0.5 --csv -
workloom queue reopen --sweep lambda=0.2:0.8:0.2 --repeat exponential --repeat shmueli --users 20000 -q
workloom queue mixed --lambda 1.2 --users 3
workloom queue mixed --lambda 1 --users 3
workloom queue reopen --lambda 0.8 --repeat constant:0.5
workloom queue reopen --lambda 1 --repeat shmueli
workloom queue reopen --lambda -1 --repeat exponential
workloom queue reopen --lambda 0 --repeat exponential
workloom queue reopen --lambda 0.5 --repeat constant:1
workloom queue reopen --lambda 0.5 --repeat exponental
workloom queue reopen --lambda 0.5
workloom queue reopen --repeat shmueli
workloom queue reopen --lambda 0.5 --repeat shmueli --simulate
workloom queue mixed --lambda 0.5
workloom queue mixed --lambda 0.5 --users 3 --think -1
workloom queue mixed --lambda 0.5 --users 3 --service-dist normal:1:1
workloom queue mixed --lambda 0.5 --users 3 --sweep q=1:2
workloom queue mixed --lambda 0.5 --users 3 file.swf
workloom queue reopen --lambda 0.5 --repeat shmueli --sweep p=0.1,0.2
workloom queue reopen --lambda 0.5 --repeat shmueli:1e-6 --users 1000 -q
workloom queue mixed --lambda 0.5 --users 1000000000000
workloom queue mixed --sweep N=1:3 --users 3 --lambda 0.1
workloom queue mixed --sweep lambda=0.1,0.2 --users 3 --lambda 0.1
workloom queue mixed --sweep think=1,2 --sweep think-rate=1,2 --users 3 --lambda 0.1
workloom queue mixed --sweep lambda=0.1:0.9:1e-12 --users 3
workloom queue reopen --lambda 0.5 --repeat exponential --service-dist pareto:0.9:1
workloom queue fit
workloom queue fit --lambda 0.5 log.swf
workloom queue mixd
workloom queue
END

# The same bytes for any number of threads.
for threads in 1 4; do
    workloom queue reopen --sweep lambda=0.2:0.8:0.2 --repeat exponential --repeat shmueli \
        --users 5000 --replications 3 -q --threads "$threads" --csv "runs-$threads.csv"
done >/dev/null
cmp runs-1.csv runs-4.csv && echo "the same with 1 and 4 threads"

# Figures 3 to 8.
workloom queue mixed --sweep N=1:10 --sweep lambda=0,0.3 --figures figures-3 -q
workloom queue reopen --lambda 0.5 --repeat constant:0.36 --repeat constant:0.47 \
    --sweep think-rate=0.1,1,10 --users 5000 --figures figures-4 -q
workloom queue reopen --lambda 0.5 --think 1 --sweep p=0:0.4:0.1 --users 5000 --figures figures-5 -q
workloom queue reopen --sweep lambda=0.2:0.8:0.2 --repeat exponential --repeat shmueli --think 1 \
    --users 5000 --figures figures-7 --quotients -q
workloom queue reopen --lambda 0.1 --repeat exponential --repeat shmueli --think 1 --users 5000 \
    --figures figures-8 --html page.html -q
for directory in figures-*; do
    echo "$directory:" "$(cd "$directory" && echo *.svg)"
done
head -3 figures-3/closed-response.csv figures-8/runtimes.csv
grep -c '<svg' page.html

# A log's users: 400 days, in which users come and go.
awk 'BEGIN {
    print "; MaxProcs: 16"
    for (day = 0; day < 400; day++) {
        for (u = 1; u <= 5; u++)
            print ++n, day * 86400 + u * 600, 60, 7200, 4, -1, -1, 4, 7200, -1, 1, u, 1, -1, 1, -1, -1, -1
        if (day % 10 == 0)
            for (k = 0; k < 3; k++)
                print ++n, day * 86400 + 40000 + k * 9000, 0, 3600, 2, -1, -1, 2, 3600, -1, 1, 10 + day, 1, -1, 1, -1, -1, -1
    }
}' >users.swf
session <<'END'
workloom queue fit users.swf --load-factor 0.5,1 --replications 3
workloom queue fit users.swf --feedback adjusted --replications 2 --json
workloom queue fit users.swf --replications 2 --csv -
workloom queue fit users.swf --replications 2 --json --csv -
workloom queue fit users.swf --replications 2 --html same --csv same
workloom queue fit users.swf --load-factor 0
workloom queue fit users.swf --load-factor 1,x
workloom queue fit users.swf --scheduler nothing
workloom queue fit users.swf --feedback nothing
workloom queue fit missing.swf --html page-fit.html
workloom queue fit users.swf --load-factor 0.5,1 --replications 2 --figures figures-fit --html page-fit.html --csv fit.csv
END
(cd figures-fit && echo *)
head -3 fit.csv | cut -d, -f1-5
grep -c '<svg' page-fit.html
for threads in 1 4; do
    workloom queue fit users.swf --replications 2 -q --threads "$threads" --csv "fit-$threads.csv"
done >/dev/null
cmp fit-1.csv fit-4.csv && echo "the same with 1 and 4 threads"
