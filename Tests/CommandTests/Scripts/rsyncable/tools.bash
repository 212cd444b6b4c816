# What these scripts share.
. "$SCRIPTS/statistics/tools.bash"

# noise SIZE SEED: digits that no other place repeats, and that become half as many bytes.
noise() {
    python -c 'import random, sys; sys.stdout.write(random.Random(int(sys.argv[2])).randbytes(int(sys.argv[1]) // 2).hex())' "$@"
}

# changed FILE: its bytes with one more after the first hundred.
changed() {
    head -c 100 "$1"
    printf x
    tail -c +101 "$1"
}

# recurring A B: the share of B's frames, by their bytes and in thousandths, that A has too.
recurring() {
    python "$SCRIPTS/rsyncable/recurring.py" "$@"
}
