# As under nohup, and in background jobs of shells without job control.
corpus random 300K >a
mkfifo data
export IGNORED='INT HUP TERM'
spawn status "$SLUICE" -q -o out.zst <data &
exec 8>data
head -c 100000 a >&8
temporary >/dev/null
for signal in INT HUP TERM; do
    kill -$signal "$(pid status)"
    sleep 0.1
done
tail -c +100001 a >&8
exec 8>&-
ended status 0
zstd -dc out.zst | cmp - a
no_leftovers
# And one that is not ignored still ends it.
rm status*
export IGNORED=HUP
spawn status "$SLUICE" -q -o out2.zst <data &
exec 8>data
temporary >/dev/null
kill -HUP "$(pid status)"
sleep 0.2
has_temporary
kill -INT "$(pid status)"
ended status SIGINT
no_leftovers
