needs strace unshare
corpus text 1M >a
strace -f -qq -e trace=openat -o trace "$SLUICE" -q a
refuses grep libcrypto trace
library=$(realpath "$(ldconfig -p | sed -n 's/.*libcrypto\.so\.3 .*=> //p' | sed 1q)")
[ -f "$library" ] || skip 'no libcrypto.so.3'
# What lies there instead is no library.
unshare -m true 2>/dev/null || skip 'nothing can be hidden here'
hidden() { unshare -m bash -c 'mount --bind /dev/null "$1" && shift && exec "$@"' - "$library" "$@"; }
fails hidden "$SLUICE" -q --hash a -o b.zst
says "--hash: can't load libcrypto.so.3, which computes hashes"
absent b.zst
