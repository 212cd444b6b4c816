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

# They end with this shell, however that ends; what they write in their folder has to be written before that goes.
daemons=()
daemon() {
    setpriv --pdeathsig TERM "$@" >>"$slurm/said" 2>&1 &
    daemons+=($!)
}
end_daemons() {
    set +x
    timeout 10 scancel --user=root 2>/dev/null || true
    kill "${daemons[@]}" 2>/dev/null || true
    wait "${daemons[@]}" 2>/dev/null || true
}
trap end_daemons EXIT

daemon munged --foreground --force --socket="$slurm/munge.socket" --pid-file="$slurm/munge.pid" \
    --log-file="$slurm/munge.log" --seed-file="$slurm/munge.seed" --key-file=/etc/munge/munge.key
await test -S "$slurm/munge.socket"
daemon slurmctld -D -c
daemon slurmd -D
is_idle() { sinfo -h -o %T 2>/dev/null | grep -qx idle; }
await is_idle
