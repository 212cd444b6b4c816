needs strace
source "$SCRIPTS/dictionaries/samples.bash"
mkdir elsewhere
mv dict elsewhere
strace -f -qq -o calls -e trace=openat "$SLUICE" -q -D elsewhere/dict samples/a?a
[ "$(grep -c 'elsewhere/dict"' calls)" = 1 ]
works "$SLUICE" -q -d -f -D elsewhere/dict samples/aaa.zst
# It may come through a pipe.
works "$SLUICE" -q -d -f -D <(cat elsewhere/dict) samples/aaa.zst
same samples/aaa <(head -n 10 records)
