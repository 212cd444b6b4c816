# The file is read again each second; what is no rate changes nothing.
source "$SCRIPTS/flow/tools.bash"
corpus random 24M >data
echo 2M/s >rate
(sleep 1.5; echo oops >rate; sleep 1.5; printf '100M\n' >new; mv new rate) &
start=$(date +%s%N)
works "$SLUICE" --copy --limit-rate=@rate -q data -o out
milliseconds=$((($(date +%s%N) - start) / 1000000))
wait
same data out
# About three seconds at 2 MiB/s, then at once; it would be 12 seconds.
((milliseconds > 2500 && milliseconds < 8000)) || fail "$milliseconds ms"
fails "$SLUICE" --limit-rate=@missing data -c
says "missing: can't read the rate: no such file"
for rate in '' 0 x '1 2'; do
    printf '%s\n' "$rate" >bad
    fails "$SLUICE" --limit-rate=@bad data -c
    says 'does not contain a rate'
done
# No output replaces it.
echo 100M >rate
fails "$SLUICE" -qf --limit-rate=@rate data -o rate
says 'rate: sets the rate of this run: not replaced'
[ "$(<rate)" = 100M ]
