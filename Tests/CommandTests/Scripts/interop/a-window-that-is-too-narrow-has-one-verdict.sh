# Decoding in one go does not notice a match that reaches beyond the window; decoding in parts does, as zstd does.
corpus text 300K >line
cat line line line >a
# The window stands behind the descriptor, for a pipe tells no size: 2 MiB, and here less.
for size in 90K 900K; do
    head -c $size a | cat | zstd -q >wide.zst
    [ "$(od -An -tx1 -j4 -N2 wide.zst)" = ' 04 58' ]
    for window in 00 08 10 18 20 28 30 38 40; do
        { head -c 5 wide.zst; printf '%b' "\\x$window"; tail -c +7 wide.zst; } >narrow.zst
        theirs=0
        zstd -dcq narrow.zst >wanted 2>/dev/null || theirs=1
        [ $window$size != 00900K ] || [ $theirs = 1 ] || fail "zstd takes a window of 1 KiB for it"
        cat narrow.zst narrow.zst >two.zst
        for words in '-dc narrow.zst' '-t narrow.zst' '-t two.zst' '-t narrow.zst narrow.zst' '-dc -T1 narrow.zst'; do
            code=0
            # shellcheck disable=SC2086
            "$SLUICE" -q $words >got 2>/dev/null || code=$?
            [ $code = $theirs ] || fail "$window, $words: $code and not $theirs"
        done
        code=0
        "$SLUICE" -q -d <narrow.zst >got 2>/dev/null || code=$?
        [ $code = $theirs ] || fail "$window from a pipe: $code and not $theirs"
    done
done
