# A frame whose matches reach beyond its window: one verdict, and the bytes of libzstd's streaming decoder, however it comes. All
# windows and ways of smaller frames: NarrowWindowTests.
corpus text 300K >near
corpus random 600K >beyond
corpus random 5M >far
cat near near near >near.plain
# libzstd keeps 128 KiB more than the window: here it takes what it finds there, which is another content.
for start in 0 100 150 50 200 30; do
    head -c $((start + 250))000 beyond | tail -c 250000
    corpus random 1000
done | cat beyond - >beyond.plain
cat far near far far >far.plain
long() { zstd -q -6 --zstd=wlog=23 "$@" -c; }
# theirs: what zstd makes of narrow.zst; its verdict is in $verdict.
theirs() {
    verdict=0
    zstd -dcq <narrow.zst >wanted 2>/dev/null || verdict=1
}
# ours COMMAND...: the same of sluice, whose output is in got.
ours() {
    local code=0
    "$@" >got 2>/dev/null || code=$?
    [ $code = $verdict ] || fail "$name $window, $*: $code and not $verdict"
}
ours_is() {
    ours "$@"
    [ $verdict = 1 ] || same got wanted
}
slowly() {
    {
        head -c 7 narrow.zst
        sleep 0.6
        tail -c +8 narrow.zst
    } | "$@"
}
check_everywhere() {
    theirs
    ours_is "$SLUICE" -qdc narrow.zst
    ours_is "$SLUICE" -qdc -T1 narrow.zst
    ours_is "$SLUICE" -qdc --single-core-decoding narrow.zst
    ours_is "$SLUICE" -qd <narrow.zst
    [ $window != 48 ] || ours_is slowly "$SLUICE" -qd
    ours "$SLUICE" -qt narrow.zst
    ours "$SLUICE" -qt narrow.zst narrow.zst
    # Frames before it, with a wider window, make no difference; nor do small ones beside it.
    cat wide.zst small.zst narrow.zst small.zst >several.zst
    mv wanted alone
    [ $verdict = 1 ] || cat "$plain" small alone small >wanted
    ours_is "$SLUICE" -qdc -T1 several.zst
    ours_is "$SLUICE" -qdc -T3 several.zst
    ours_is "$SLUICE" -qd <several.zst
    ours_is "$SLUICE" -qdc --offset=0 several.zst
}
echo small >small
zstd -q small -o small.zst
for plain in near beyond far; do
    case $plain in
    near) windows='00 48' ;;
    beyond) windows='40 48' ;;
    far) windows='58' ;;
    esac
    plain=$plain.plain
    for name in sized unchecked; do
        case $name in
        sized) long $plain >wide.zst ;;
        unsized) long <$plain >wide.zst ;;
        unchecked) long --no-check <$plain >wide.zst ;;
        esac
        # The window stands behind the descriptor; what is one segment has none.
        [ $((0x$(od -An -tx1 -j4 -N1 wide.zst | tr -d ' ') & 0x20)) = 0 ] || continue
        for window in $windows; do
            { head -c 5 wide.zst; printf '%b' "\\x$window"; tail -c +7 wide.zst; } >narrow.zst
            check_everywhere
        done
    done
done
