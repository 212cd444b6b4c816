corpus text 1M >plain
for part in 1 2 3 4; do "$SLUICE" -q -1 -B128K --part=$part/4 plain -o wanted.$part; done
# auto PART OPTION VARIABLE...: makes that part, and says by what it knows.
auto() {
    local part=$1 option=$2
    shift 2
    works env "$@" "$SLUICE" -v -1 -B128K "$option" plain -o got
    same got wanted.$part
    says "part $part of 4 ($1"
    rm got
}
array() { printf 'SLURM_ARRAY_TASK_ID=%s SLURM_ARRAY_TASK_COUNT=%s SLURM_ARRAY_TASK_MIN=%s SLURM_ARRAY_TASK_MAX=%s' "$@"; }
# shellcheck disable=SC2046
auto 3 --part=auto $(array 3 4 1 4)
# shellcheck disable=SC2046
auto 3 --part=auto $(array 2 4 0 3)
# shellcheck disable=SC2046
auto 3 --part=auto $(array 14 4 10 16) SLURM_ARRAY_TASK_STEP=2
# shellcheck disable=SC2046
auto 1 --part=auto/4 $(array 10 4 10 13)
auto 1 --part=auto/4 PARALLEL_SEQ=1
auto 4 --part=auto/4 PARALLEL_SEQ=4
auto 1 --part=auto/4 JOB_COMPLETION_INDEX=0
auto 4 --part=auto/4 JOB_COMPLETION_INDEX=3
auto 2 --part=auto/4 PBS_ARRAY_INDEX=2
# refused SENTENCE OPTION VARIABLE...
refused() {
    local sentence=$1 option=$2
    shift 2
    fails env "$@" "$SLUICE" -1 "$option" plain -o got
    says "$sentence"
    absent got
}
refused 'no scheduler says which part this is' --part=auto A=B
refused 'PARALLEL_SEQ does not give the number of parts' --part=auto PARALLEL_SEQ=1
refused 'PARALLEL_SEQ=5 is not one of 4 parts' --part=auto/4 PARALLEL_SEQ=5
refused 'JOB_COMPLETION_INDEX=4 is not one of 4 parts' --part=auto/4 JOB_COMPLETION_INDEX=4
refused 'PBS_ARRAY_INDEX=0 is not one of 4 parts' --part=auto/4 PBS_ARRAY_INDEX=0
refused 'PARALLEL_SEQ is not a number' --part=auto/4 PARALLEL_SEQ=one
refused 'both PARALLEL_SEQ and PBS_ARRAY_INDEX are set' --part=auto/4 PARALLEL_SEQ=1 PBS_ARRAY_INDEX=1
refused 'SLURM_ARRAY_TASK_COUNT is not set' --part=auto SLURM_ARRAY_TASK_ID=1
# shellcheck disable=SC2046
refused 'the array has 4 tasks' --part=auto/5 $(array 1 4 1 4)
# An array of 1, 3 and 7.
# shellcheck disable=SC2046
refused 'not evenly spaced' --part=auto $(array 3 3 1 7)
