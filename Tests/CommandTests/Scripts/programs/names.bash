# shellcheck shell=bash
# Puts the four names of zstd first in PATH, all of them sluice; `real` is the zstd that is installed.
# shellcheck disable=SC2034
real=$(command -v zstd)
mkdir zstd-is-ours
for name in zstd zstdmt unzstd zstdcat; do ln -s "$SLUICE" "zstd-is-ours/$name"; done
export PATH=$PWD/zstd-is-ours:$PATH
