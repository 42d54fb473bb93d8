#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# slurm.sh WORKLOOM SAMPLE_LOG: a real Slurm on this machine runs a submitted experiment. Speaks TAP.
#
# munged, slurmctld and three slurmds listen on 127.0.0.1 only, with files of their own, and are stopped
# by their process numbers at the end. Skipped where the packages are missing or without root.

set -uo pipefail
workloom=$(realpath "$1")
sample_log=$(realpath "$2")

skip() {
    echo "ok 1 - an experiment in a Slurm array # SKIP $1"
    echo "1..1"
    exit 0
}

for program in munged slurmctld slurmd sbatch squeue python3; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || skip "there is no $program (packages.txt, test-full)"
done
PATH=$PATH:/usr/sbin
[ "$(id -u)" = 0 ] || skip "only root can start slurmd"
id munge >/dev/null 2>&1 || skip "there is no user munge"

scratch=$(mktemp -d "${TMPDIR:-/tmp}/workloom-slurm.XXXXXX")
chmod 755 "$scratch"
pids=()
# shellcheck disable=SC2317 # called by the trap
stop() {
    local pid
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done
    sleep 1
    for pid in "${pids[@]}"; do kill -9 "$pid" 2>/dev/null; done
    wait 2>/dev/null
    rm -rf "$scratch"
}
trap stop EXIT
cd "$scratch" || exit 1

# Ports that are free now.
read -r control first second third < <(python3 - <<'PYTHON'
import socket
sockets = [socket.socket() for _ in range(4)]
for s in sockets:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))
PYTHON
)

mkdir state spool munge
dd if=/dev/urandom of=munge/key bs=1024 count=1 2>/dev/null
chmod 400 munge/key
chmod 755 munge
chown -R munge munge
cat >slurm.conf <<CONF
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/munge/socket
SlurmctldPort=$control
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool/%n
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd-%n.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,bf_resolution=1,sched_interval=1,sched_min_interval=0
SelectType=select/linear
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MinJobAge=3600
KillWait=2
SlurmdParameters=config_overrides
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$first CPUs=1 RealMemory=1000 State=UNKNOWN
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$second CPUs=1 RealMemory=1000 State=UNKNOWN
NodeName=n3 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$third CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES MaxTime=1:00:00 State=UP OverSubscribe=EXCLUSIVE
CONF
export SLURM_CONF=$scratch/slurm.conf

setpriv --reuid munge --regid munge --clear-groups munged --foreground --socket="$scratch/munge/socket" \
    --key-file="$scratch/munge/key" --pid-file="$scratch/munge/pid" --log-file="$scratch/munge/log" \
    --seed-file="$scratch/munge/seed" --force >munged.out 2>&1 &
pids+=($!)
for _ in $(seq 100); do
    [ -S munge/socket ] && break
    sleep 0.1
done
slurmctld -D -f slurm.conf >slurmctld.out 2>&1 &
pids+=($!)
for node in n1 n2 n3; do
    mkdir "spool/$node"
    slurmd -D -f slurm.conf -N $node >"$node.out" 2>&1 &
    pids+=($!)
done
for _ in $(seq 300); do
    [ "$(sinfo -h -o '%T %D' 2>/dev/null)" = "idle 3" ] && break
    sleep 0.2
done
[ "$(sinfo -h -o '%T %D' 2>/dev/null)" = "idle 3" ] || skip "Slurm does not start: $(tail -n 1 slurmctld.log 2>/dev/null)"

"$sample_log" log.swf >/dev/null || exit 1
words=(--trace log.swf -s easy -s fcfs --resample --weeks 3 --load '0.6,0.9' --replications 8 -q)
"$workloom" experiment run "${words[@]}" --db here.db || exit 1
"$workloom" experiment submit "${words[@]}" --slurm --shards 4 --db there.db >submit.out 2>&1
submitted=$?
for _ in $(seq 600); do
    [ -e there.db ] && break
    if [ $submitted != 0 ] || [ -z "$(squeue -h -t pending,running,completing,configuring)" ]; then break; fi
    sleep 0.5
done
if cmp -s <("$workloom" experiment report here.db --csv -) <("$workloom" experiment report there.db --csv -); then
    echo "ok 1 - an experiment in a Slurm array"
    code=0
else
    echo "not ok 1 - an experiment in a Slurm array"
    cat submit.out there.db.slurm/*.log 2>/dev/null | sed 's/^/# /'
    squeue 2>&1 | sed 's/^/# /'
    code=1
fi
echo "1..1"
exit $code
