. "$SCRIPTS/progress/terminal.bash"
name='数据-データ-資料-ｗｉｄｅ-very-long-name-that-fills-whole-lines-of-a-terminal-and-more-数据数据数据数据数据数据'
corpus random 10M >"$name"
for width in 1 2 7 20 21 40 80 200; do
    # tmux has no terminal of a single column; the command believes what the kernel says.
    terminal $width $((width > 5 ? width : 10)) 8 "stty cols $width; '$SLUICE' -c -B256K --limit-rate=2M '$name' >/dev/null"
done
# At all widths at once: while it runs there is a line at most, whatever the moment.
for width in 20 21 40 80 200; do await shows $width '[0-9]%'; done
for moment in 1 2 3 4; do
    for width in 1 2 7 20 21 40 80 200; do
        [ "$(lines $width)" -le 1 ] || shows $width END || fail "$width columns: $(screen $width)"
    done
    sleep 0.15
done
shows 200 '\[=*> *\] +[0-9]+% .*MiB > .* [0-9.]+ MiB/s +avg .* 0:0[0-9] ETA +0:0[0-9]' || fail "$(screen 200)"
shows 200 'MiB > .*[01]\.[0-9]+x' || fail "$(screen 200)"
shows 80 '\[=*> *\] +[0-9]+% .*MiB > .*ETA +0:0[0-9]' || fail "$(screen 80)"
shows 40 '[0-9]+% .*ETA +0:0[0-9]' || fail "$(screen 40)"
shows 20 '[0-9]+% +[0-9.]+ [MK]iB/s' || fail "$(screen 20)"
# The end: nothing is left.
for width in 1 2 7 20 21 40 80 200; do
    await shows $width END
    [ "$(screen $width | tr -d '\n ')" = END ] || fail "$width columns: $(screen $width)"
done
