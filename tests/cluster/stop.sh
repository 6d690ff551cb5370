#!/usr/bin/env bash
# Stop the cluster that start.sh booted under STATE_DIR, by its pid files; safe to call twice. Usage: stop.sh STATE_DIR
set -uo pipefail

[ $# -eq 1 ] || {
    echo "usage: stop.sh STATE_DIR" >&2
    exit 1
}
state=$(cd "$1" && pwd -P) || exit 1
export SLURM_CONF=$state/slurm.conf

# The daemon's pid while it runs, else nothing: by now the pid may belong to another process.
pid_of() {
    local pid
    pid=$(cat "$state/run/$1.pid" 2>/dev/null) || return 0
    ! grep -qsF "$state/" "/proc/$pid/cmdline" || echo "$pid"
}

# Jobs first: their processes would outlive the daemons.
if [ -n "$(pid_of slurmctld)" ]; then
    scancel --user="$(id -un)" 2>/dev/null
    for ((i = 0; i < 60; i++)); do
        [ -n "$(squeue --noheader 2>/dev/null)" ] || break
        sleep 0.25
    done
fi
daemons=()
for file in "$state"/run/*.pid; do daemons+=("$(basename "$file" .pid)"); done
for daemon in "${daemons[@]}"; do
    pid=$(pid_of "$daemon")
    [ -z "$pid" ] || kill "$pid"
done
status=0
for daemon in "${daemons[@]}"; do
    for ((i = 0; i < 60; i++)); do
        pid=$(pid_of "$daemon")
        [ -n "$pid" ] || continue 2
        sleep 0.25
    done
    echo "stop.sh: $daemon (pid $pid) had to be killed" >&2
    kill -KILL "$pid"
    status=1
done
exit $status
