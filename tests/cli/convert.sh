#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Between formats and back again. Whatever way a log takes, its jobs stay the same, but for requested
# times where --estimates replaces them.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

toy_log >toy.swf
"$SAMPLE_LOG" large.swf 2000 >/dev/null
cat >jobs.txt <<'SACCT'
JobID|User|Group|Partition|Submit|Start|End|Elapsed|Timelimit|ReqCPUS|AllocCPUS|State
7|ann|chem|long|2023-05-01T08:00:00|2023-05-01T08:00:30|2023-05-01T09:00:30|01:00:00|1-00:00:00|4|4|COMPLETED
7.batch||||2023-05-01T08:00:30|2023-05-01T08:00:30|2023-05-01T09:00:30|01:00:00||4|4|COMPLETED
8_[1-2]|bob|phys|short|2023-05-01T08:10:00|Unknown|2023-05-01T08:20:00|00:00:00|00:30:00|1|0|CANCELLED by 1001
9|bob|phys|short|2023-05-01T09:00:00|2023-05-01T09:00:01|2023-05-01T09:10:01|00:10:00|UNLIMITED|2|2|TIMEOUT
SACCT

session <<'END'
workloom convert toy.swf -
workloom convert toy.swf toy.csv
cat toy.csv
workloom convert toy.csv toy.gwf
grep -v '^#' toy.gwf | cut -f 1-18 | tr '\t' ' '
workloom convert toy.csv again.swf.gz
gzip -dc again.swf.gz | grep '^; Conversion'
diff <(jobs_of toy.swf) <(gzip -dc again.swf.gz | jobs_of)
workloom convert toy.gwf again.swf
diff <(jobs_of toy.swf | cut -d ' ' -f -16) <(jobs_of again.swf | cut -d ' ' -f -16)
workloom convert toy.swf toy.json
workloom convert toy.swf toy.json --select ran
cat toy.json
workloom convert toy.json ran.swf
diff <(jobs_of toy.swf | grep -v '^2 ') <(jobs_of ran.swf)
workloom convert --from sacct jobs.txt - 2>/dev/null
workloom convert jobs.txt jobs.swf
workloom convert - - --to csv -q <jobs.txt | grep -v '^#'
sed 1d jobs.txt | workloom convert --from sacct --columns JobID,User,Group,Partition,Submit,Start,End,Elapsed,Timelimit,ReqCPUS,AllocCPUS,State - headless.swf
diff <(jobs_of jobs.swf) <(jobs_of headless.swf)
workloom convert --json toy.swf out.swf --users bob
workloom convert toy.swf toy.swf
jobs_of toy.swf
ls -A
workloom convert toy.swf exact.swf --estimates exact
grep Note: exact.swf; jobs_of exact.swf | cut -d ' ' -f 1,4,9
workloom convert toy.swf twice.swf --estimates f:2 -q; jobs_of twice.swf | cut -d ' ' -f 1,4,9
workloom convert toy.swf loose.swf --estimates uniform:3 --seed 7; grep requested loose.swf
workloom convert toy.swf again.swf --estimates uniform:3 --seed 7 -q --threads 2; diff <(jobs_of loose.swf) <(jobs_of again.swf) && echo the same
workloom convert toy.swf other.swf --estimates uniform:3 --seed 7 --replication 1 -q; cmp -s <(jobs_of loose.swf) <(jobs_of other.swf) || echo another
workloom convert toy.swf same.swf --estimates requested -q; grep -c 'requested times' same.swf; diff <(jobs_of toy.swf) <(jobs_of same.swf)
workloom convert large.swf modal.swf --estimates modal --select ran
workloom convert large.swf modal1.swf --estimates modal --select ran --threads 1 -q; diff <(jobs_of modal.swf) <(jobs_of modal1.swf) && echo the same
workloom convert large.swf modal.swf --estimates modal --select ran --json | grep -A 6 requested_times
workloom convert large.swf none.swf --estimates exact --shuffle joint --seed 2 --json --select ran | grep -A 6 requested_times
workloom convert toy.swf none.swf --estimates modal
workloom convert toy.swf none.swf --estimates exat
workloom convert toy.swf none.swf --estimates none
workloom convert toy.swf none.swf --estimates f:0.5
workloom convert toy.swf none.swf --estimates uniform
workloom convert toy.swf none.swf --estimates exact:2
workloom convert toy.swf none.swf --estimates exact --seed 2
workloom convert toy.swf none.swf --estimates f:2 --replication 2
workloom convert toy.swf none.swf --estimates requested --seed 2
workloom convert toy.swf none.swf --seed 2
workloom convert toy.swf none.swf --shuffle joint --replication 2
END
