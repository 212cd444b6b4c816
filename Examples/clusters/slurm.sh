#!/bin/bash
# Compresses one file on many nodes, as a job array of Slurm, and joins the parts when all of them are there.
#
#   slurm.sh FILE PARTS [OPTION...]
#
# FILE lies on a file system that all nodes have; FILE.zst and the parts are written beside it. Options are those of
# sluice, such as -19 or -T16; those of sbatch come from its variables, such as SBATCH_PARTITION. Prints the numbers of
# the array and of the job that joins.
set -euo pipefail

file=$(realpath -- "$1") parts=$2
shift 2
# Words as they are, whatever is in them.
quoted() { printf ' %q' "$@"; }

# Where a node fails, its part is made again elsewhere.
array=$(
    sbatch --parsable --requeue --job-name=compress --array="1-$parts" <<END
#!/bin/bash
exec $(quoted "${SLUICE:-sluice}" -v "$@" --part=auto -- "$file")
END
)
join=$(
    sbatch --parsable --job-name=join --dependency="afterok:$array" --kill-on-invalid-dep=yes <<END
#!/bin/bash
exec $(quoted "${SLUICE:-sluice}" --join --rm -o "$file.zst" -- "$file").[0-9]*-of-$(quoted "$parts" | tr -d ' ').zst
END
)
echo "$array $join"
