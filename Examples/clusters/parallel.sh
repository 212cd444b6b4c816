#!/bin/bash
# Compresses one file on many machines with GNU parallel, and joins the parts.
#
#   parallel.sh FILE PARTS [OPTION...]
#
# PARALLEL_OPTIONS are those of parallel, such as "--sshloginfile nodes --jobs 1" for machines that have the file under the
# same name. Without them the parts are made here, one after another. Options are those of sluice, such as -19.
set -euo pipefail

file=$(realpath -- "$1") parts=$2
shift 2
sluice=${SLUICE:-sluice}

# A part that failed is made again; --part takes the number of the job, which parallel has over ssh too.
# shellcheck disable=SC2086
seq "$parts" | parallel --will-cite --quote --retries 3 ${PARALLEL_OPTIONS:---jobs 1} \
    "$sluice" -q "$@" "--part={}/$parts" -- "$file"
exec "$sluice" --join --rm "$file".[0-9]*-of-"$parts".zst -o "$file.zst"
