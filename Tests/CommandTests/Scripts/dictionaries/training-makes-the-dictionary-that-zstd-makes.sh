source "$SCRIPTS/dictionaries/samples.bash"
works "$SLUICE" --train samples/* --maxdict=4K -o ours
same ours dict
says 'ours: '
for words in --train-cover=k=64,d=8 --train-fastcover=k=64,d=6,f=16,accel=2 '--train-legacy=s=7' '--train -19 --dictID=99'; do
    # shellcheck disable=SC2086
    zstd -qf $words samples/* --maxdict=3K -o theirs
    # shellcheck disable=SC2086
    works "$SLUICE" -q -f $words samples/* --maxdict=3K -o ours
    silent
    same ours theirs
done
# One file that is cut.
zstd -qf --train records -B300 --maxdict=2K -o theirs
works "$SLUICE" -q -f --train records -B300 --maxdict=2K -o ours
same ours theirs
# dictionary is its name, and what was made with the one that is there stays readable.
works "$SLUICE" -q --train samples/* --maxdict=4K
same dictionary dict
fails "$SLUICE" -q --train samples/* --maxdict=3K
says 'sluice: dictionary: already exists: not replaced'
same dictionary dict
works "$SLUICE" -q --train samples/* --maxdict=4K -c >out
same out dict
# The samples are bounded.
works "$SLUICE" --train samples/* -M20K --maxdict=1K -o few
says 'sluice: warning: too many samples'
# Wrong words and too little are told in a sentence.
fails "$SLUICE" --train
says 'sluice: --train needs sample files'
fails "$SLUICE" --train samples/aaa -o x
says "sluice: can't train a dictionary: too few samples (1 given, at least 5 needed)"
says 'sluice: hint: '
fails "$SLUICE" --train samples/* nowhere -o x
says "sluice: nowhere: can't open: no such file or directory"
fails "$SLUICE" --train samples/* samples -o x
fails "$SLUICE" --train-cover=k=5,z=3 samples/* -o x
says 'sluice: --train-cover takes parameters such as '
fails "$SLUICE" --train samples/* -o samples/aaa -f
says 'samples/aaa: is the input and the output'
fails "$SLUICE" -f --train samples/* --maxdict=4K -o /dev/full
says "/dev/full: can't write: no space left on device"
fails "$SLUICE" --train samples/* -o no/folder/x
absent x
no_leftovers
