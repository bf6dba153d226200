#!/bin/bash
# Bakes a planned world by GNU parallel, on this machine or with --sshlogin on others that share the store.
#
#   surefoot world plan level.glb --store tiles --cell-size 0.5
#   bash parallel.sh tiles level.navgrid
set -euo pipefail

store=$1
output=$2
# It says by its exit code that tiles are missing.
tiles=$({ surefoot world status --store "$store" --json || true; } | python3 -c 'import json, sys; print(json.load(sys.stdin)["tiles"])')
seq 0 $((tiles - 1)) |
    parallel --retries 3 --halt soon,fail=1 surefoot world tile --store "$store" --threads 1 --quiet --index {}
surefoot world merge --store "$store" -o "$output"
