# libdispatch goes on with the writes that it was asked for behind the one that failed: the output had a hole. Each
# write of a run in turn: FrameWriterTests.
needs strace
corpus text 16M >a
"$SLUICE" -q -B1M a -o a.zst
for nth in 1 2 3; do
    for words in -d '-1 -B256K' --copy; do
        input=a
        [ "$words" != -d ] || input=a.zst
        # shellcheck disable=SC2086
        "$SLUICE" -q -T2 $words <$input >whole
        # To a file and to a pipe; each call is counted by its thread.
        # shellcheck disable=SC2086
        exits 1 strace -D -f -qq -o /dev/null -e trace=write -e inject=write:error=ENOSPC:when=$nth "$SLUICE" -q -T2 $words <$input >out
        prefix_of out whole
        # shellcheck disable=SC2086
        { strace -D -f -qq -o /dev/null -e trace=write -e inject=write:error=ENOSPC:when=$nth "$SLUICE" -q -T2 $words <$input 2>/dev/null || true; } | cat >out
        prefix_of out whole
    done
done
