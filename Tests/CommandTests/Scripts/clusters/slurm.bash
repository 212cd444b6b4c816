# A cluster of one node, which this host is: real daemons of Slurm and munge, in a folder of the test.

for program in munged slurmctld slurmd sbatch; do
    command -v $program >/dev/null || skip "Slurm is not installed"
done
[ "$(id -u)" = 0 ] || skip "Slurm's daemons need root here"
[ -f /etc/munge/munge.key ] || skip "munge has no key"
! pgrep -x slurmctld >/dev/null || skip "another Slurm runs here"

slurm=$PWD/slurm
export SLURM_CONF=$slurm/slurm.conf
mkdir -p "$slurm"/state "$slurm"/spool
host=$(hostname -s)
# Ports of its own.
cat >"$SLURM_CONF" <<END
ClusterName=local
SlurmctldHost=$host
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
MpiDefault=none
SchedulerParameters=batch_sched_delay=1,sched_interval=2,requeue_delay=1
NodeName=$host CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END

# What they write in their folder at the end has to be written before that goes.
end() {
    kill "$1" 2>/dev/null || return 0
    local attempt
    for attempt in {1..500}; do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.02
    done
    echo "process $1 stays after $attempt turns" >&2
}
end_daemons() {
    set +x
    local file
    # Jobs first: nobody would end them afterwards.
    [ ! -s "$slurm/slurmctld.pid" ] || timeout 10 scancel --user=root --full 2>/dev/null || true
    for file in "$slurm"/slurmd.pid "$slurm"/slurmctld.pid "$slurm"/munge.pid; do
        if [ -s "$file" ]; then end "$(cat "$file")"; fi
    done
}
trap end_daemons EXIT

# It wants a folder that nobody else may write.
munged --force --socket="$slurm/munge.socket" --pid-file="$slurm/munge.pid" --log-file="$slurm/munge.log" \
    --seed-file="$slurm/munge.seed" --key-file=/etc/munge/munge.key 2>"$slurm/munge.said" ||
    skip "munged does not start: $(cat "$slurm/munge.said")"
slurmctld -c 2>"$slurm/said" || skip "slurmctld does not start: $(cat "$slurm/said")"
slurmd 2>"$slurm/said" || skip "slurmd does not start: $(cat "$slurm/said")"
is_idle() { sinfo -h -o %T 2>/dev/null | grep -qx idle; }
await is_idle
