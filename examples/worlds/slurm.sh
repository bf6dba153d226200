#!/bin/bash
# Bakes a planned world on a Slurm cluster: sbatch array jobs for tiles, then for seams, then the merge.
#
#   surefoot world plan level.glb --store /shared/tiles --cell-size 0.5
#   bash slurm.sh /shared/tiles level.navgrid
#
# All nodes see the store and the scene under the same paths. A job that fails for a reason that may go away
# (exit code 75), or is killed, is queued again; what is baked already is not baked again.
set -euo pipefail

store=$1
output=$2
per_job=${PER_JOB:-16}
# It says by its exit code that tiles are missing.
tiles=$({ surefoot world status --store "$store" --json || true; } | python3 -c 'import json, sys; print(json.load(sys.stdin)["tiles"])')
last=$(((tiles + per_job - 1) / per_job - 1))

array() { # the command, and the job that comes before it
    sbatch --parsable --requeue --array="0-$last" --cpus-per-task=1 --kill-on-invalid-dep=yes --output=/dev/null ${2:+--dependency=afterok:$2} <<JOB
#!/bin/bash
surefoot world $1 --store "$store" --per-job $per_job --threads 1
code=\$?
if { [ \$code = 75 ] || [ \$code -gt 128 ]; } && [ "\${SLURM_RESTART_COUNT:-0}" -lt 5 ]; then
    scontrol requeue "\$SLURM_JOB_ID"
fi
exit \$code
JOB
}

baked=$(array tile)
joined=$(array seams "$baked")
sbatch --parsable --wait --kill-on-invalid-dep=yes --dependency="afterok:$joined" --output=/dev/null \
    --wrap "surefoot world merge --store '$store' -o '$output'"
