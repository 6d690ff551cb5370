#!/usr/bin/env bash
# Boot a throw-away Slurm of two nodes on loopback; everything it writes is under STATE_DIR.
# Usage: start.sh STATE_DIR, then: source STATE_DIR/env.sh. NODES, CPUS and MEMORY_MB (per node) set its size.
set -euo pipefail

die() {
    echo "tests/cluster/start.sh: $*" >&2
    exit 1
}

[ $# -eq 1 ] || die "usage: start.sh STATE_DIR"
nodes=${NODES:-2}
cpus=${CPUS:-$(nproc)}
# Half of the machine's memory at most, so that two nodes never promise more than there is.
memory=${MEMORY_MB:-$(awk '/^MemTotal/ { print int($2 / 1024 / 2) }' /proc/meminfo)}

export PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin # where Debian keeps daemons, not on every user's PATH
missing=()
for command in slurmctld:slurmctld slurmd:slurmd srun:slurm-client munged:munge; do
    [ -n "$(command -v "${command%:*}")" ] || missing+=("${command#*:}")
done
if [ ${#missing[@]} -gt 0 ]; then
    [ -n "$(command -v apt-get)" ] ||
        die "not Debian: install Slurm and MUNGE yourself, then try again (missing here: ${missing[*]})"
    [ "$(id -u)" -eq 0 ] ||
        die "not root: run 'sudo apt-get install --no-install-recommends ${missing[*]}' once, then try again"
    echo "Installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    if ! { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >/tmp/apt.$$ 2>&1; then
        cat /tmp/apt.$$ >&2
        die "could not install ${missing[*]}"
    fi
    rm -f /tmp/apt.$$
fi

mkdir -p "$1"
state=$(cd "$1" && pwd -P)
# Slurm's settings cannot hold a space; a socket's path cannot be longer than 107 bytes.
[[ $state =~ ^[A-Za-z0-9/._+-]{1,80}$ ]] || die "STATE_DIR must be a short path of plain characters, not '$state'"
[ ! -e "$state/slurm.conf" ] || die "$state holds a cluster already: stop.sh it, and remove it"
mkdir -p "$state"/{bin,log,munge,run,spool,state}
chmod 755 "$state" "$state/munge"

munge=$state/munge
(umask 077 && head -c 1024 /dev/urandom >"$munge/key")
munged --force --key-file="$munge/key" --socket="$munge/socket" --seed-file="$munge/seed" \
    --pid-file="$state/run/munged.pid" --log-file="$state/log/munged.log"

in_use() { (: >"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
# Below the kernel's ephemeral ports, and another one for each run: two clusters may live side by side.
port=$((20000 + RANDOM % 12000))
for ((i = 0; i <= nodes; i++)); do
    ! in_use $((port + i)) || die "port $((port + i)) is taken: try again"
done

host=$(hostname -s)
user=$(id -un)
{
    cat <<CONF
ClusterName=attnrank
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$munge/socket
StateSaveLocation=$state/state
SlurmctldPidFile=$state/run/slurmctld.pid
SlurmctldLogFile=$state/log/slurmctld.log
SlurmdSpoolDir=$state/spool/%n
SlurmdPidFile=$state/run/%n.pid
SlurmdLogFile=$state/log/%n.log
# No cgroups: they need systemd or rights that a container seldom has.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,bf_interval=2
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
KillWait=2
# A finished job stays in squeue for the whole test: there is no accounting to ask instead.
MinJobAge=7200
CONF
    for ((i = 1; i <= nodes; i++)); do
        echo "NodeName=node$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i)) CPUs=$cpus RealMemory=$memory"
    done
    echo "PartitionName=main Nodes=ALL Default=YES MaxTime=1:00:00 DefaultTime=10:00"
} >"$state/slurm.conf"

# Snakemake's job step hands no SLURM_* variable to srun, which would then read /etc/slurm. This keeps it here.
srun=$(command -v srun)
cat >"$state/bin/srun" <<SHIM
#!/bin/sh
SLURM_CONF='$state/slurm.conf' exec '$srun' "\$@"
SHIM
chmod 755 "$state/bin/srun"
cat >"$state/env.sh" <<ENV
export SLURM_CONF='$state/slurm.conf' PATH='$state/bin':"\$PATH"
ENV

export SLURM_CONF=$state/slurm.conf
# The path on the command line is what stop.sh knows them by.
slurmctld -c -f "$SLURM_CONF"
for ((i = 1; i <= nodes; i++)); do slurmd -N "node$i" -f "$SLURM_CONF"; done
for ((i = 0; i < 60; i++)); do
    [ "$(sinfo --noheader --Node --states=idle --format=%N 2>/dev/null | sort -u | wc -l)" -lt "$nodes" ] || break
    sleep 0.5
done
[ "$i" -lt 60 ] || {
    tail -n 30 "$state"/log/*.log >&2
    die "the nodes did not come up within 30 s: the logs are above"
}
echo "Slurm $(sinfo --version | cut -d' ' -f2): $nodes nodes of $cpus CPUs and $memory MB, state in $state"
