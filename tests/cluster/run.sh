#!/usr/bin/env bash
# Run the quick tier here and on a throw-away Slurm: both must write the same bytes, even if a job is cancelled.
# Usage: run.sh, or make test-cluster. CORES: for the local run; KEEP=1: keep the cluster's files.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
cd "$here/../.."

reference=results/quick
results=results/cluster
# Costs are times and memory, so they differ between any two runs.
differ_always=tables/costs.parquet

# Neither a Slurm job that this may run in, nor the user's own profile, may reach the runs below.
unset "${!SLURM_@}" "${!SBATCH_@}" "${!SRUN_@}" "${!SNAKEMAKE_@}"
state=$(mktemp -d /tmp/attnrank-slurm.XXXXXX)
passed=0
failed=0
finished=
finish() {
    trap '' INT TERM
    [ -z "${canceller:-}" ] || kill "$canceller" 2>/dev/null || true
    if [ -z "$finished" ]; then
        echo "FAIL the test did not come to its end"
        failed=$((failed + 1))
    fi
    if [ $failed -ne 0 ] && [ -f "$state/env.sh" ]; then
        echo "--- the cluster's jobs, nodes and logs"
        # shellcheck disable=SC1091
        (. "$state/env.sh" && squeue --states=all --format='%.6i %.10T %.8M %.6N %k %r' && sinfo --Node --long) || true
        tail -n 40 "$state"/log/*.log || true
    fi
    "$here/stop.sh" "$state" || failed=$((failed + 1))
    if [ -n "${KEEP:-}" ]; then echo "The cluster's files are in $state"; else rm -rf "$state"; fi
    echo "$passed passed, $failed failed"
    exit $((failed != 0))
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Snakemake hands its python's path to a job unquoted: reach it by a path without spaces.
ln -s "$PWD" "$state/checkout"
python=$state/checkout/.venv/bin/python
[ -x "$python" ] || {
    echo "no .venv here: run 'make test-cluster', which makes it" >&2
    exit 1
}
snakemake() { "$python" -m snakemake --configfile config/quick.yaml "$@" -- all; }

# Cancel the first Slurm job that is seen in its training script; its id and name go to a file.
cancel_one() {
    local processes process environment job name
    while sleep 0.5; do
        mapfile -t processes < <(grep -lsE '_train\.py' /proc/[0-9]*/cmdline)
        for process in "${processes[@]}"; do
            # Others train on this machine too, perhaps.
            environment=$(tr '\0' '\n' <"${process%cmdline}environ") || continue
            grep -qxF "SLURM_CONF=$SLURM_CONF" <<<"$environment" || continue
            job=$(sed -n 's/^SLURM_JOB_ID=//p' <<<"$environment")
            name=$(squeue --noheader --jobs="$job" --format=%k) || continue
            scancel "$job" || continue
            while [ -n "$(squeue --noheader --jobs="$job")" ]; do sleep 0.5; done
            # It may have come to its end just before.
            [ "$(squeue --noheader --states=all --jobs="$job" --format=%T)" = CANCELLED ] || continue
            echo "$job $name" >"$state/cancelled"
            return
        done
    done
} 2>/dev/null

# What the DAG makes, not what lies in the folder: it may hold files of older settings.
expected() { snakemake --summary | sed -nE "s|^$reference/([^\t]*\.parquet)\t.*|\1|p"; }
actual() { find "$results" -name '*.parquet' -printf '%P\n'; }
compared() { sed "\|^$differ_always\$|d" | LC_ALL=C sort; }

verdict() { # verdict NAME FILE: the test passes if FILE, a list of what is wrong, is empty
    if [ -s "$2" ]; then
        echo "FAIL $1"
        sed 's/^/    /' "$2"
        failed=$((failed + 1))
    else
        echo "PASS $1"
        passed=$((passed + 1))
    fi
}

echo "--- the quick tier on this machine"
snakemake --cores "${CORES:-all}"

echo "--- the quick tier on Slurm"
"$here/start.sh" "$state"
# shellcheck disable=SC1091
. "$state/env.sh"
rm -rf "$results"
cancel_one &
canceller=$!
seconds=$SECONDS
# The profile as it is, but for the wait between two looks at the queue: these jobs take seconds.
snakemake --workflow-profile profiles/slurm --config "results=$results" --latency-wait 10 \
    --slurm-init-seconds-before-status-checks 4 --max-status-checks-per-second 1
echo "--- the run on Slurm took $((SECONDS - seconds)) s"

expected | compared >"$state/expected"
actual | compared >"$state/actual"
{
    LC_ALL=C comm -23 "$state/expected" "$state/actual" | sed "s|\$|: missing in $results|"
    LC_ALL=C comm -13 "$state/expected" "$state/actual" | sed "s|\$|: not expected in $results|"
    [ -s "$state/actual" ] || echo "no Parquet file at all in $results"
    LC_ALL=C comm -12 "$state/expected" "$state/actual" | while IFS= read -r file; do
        cmp -s "$reference/$file" "$results/$file" || echo "$file: other bytes on Slurm"
    done
} >"$state/wrong"
verdict "$(wc -l <"$state/actual") Parquet files hold the same bytes as the local run's" "$state/wrong"

cancelled=$(cat "$state/cancelled" 2>/dev/null || true)
squeue --noheader --states=all --format='%T %k' >"$state/jobs"
{
    if [ -z "$cancelled" ]; then
        echo "no training job was seen at work"
    else
        grep -qxF "CANCELLED ${cancelled#* }" "$state/jobs" || echo "$cancelled was not cancelled"
        grep -qxF "COMPLETED ${cancelled#* }" "$state/jobs" || echo "$cancelled was not run again"
    fi
} >"$state/wrong"
verdict "the cancelled job (${cancelled:-none}) was run again" "$state/wrong"
finished=yes
