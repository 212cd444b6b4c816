mkfifo data
for way in env with_names; do
    (umask 0; $way "$SLUICE" -q -o out.zst) <data &
    exec 8>data
    [ "$(stat -L -c %a "$(temporary)")" = 600 ]
    absent out.zst
    echo data >&8
    exec 8>&-
    wait $!
    [ "$(stat -c %a out.zst)" = 666 ]
    rm out.zst
done
