# shellcheck shell=bash
# Makes NAME.gz, .xz, .lzma, .lz4 and .zst of a file, each with the tool that it belongs to.
formats=(gz xz lzma lz4)
needs xz lzma lz4

pack() {
    gzip -ck "$1" >"$1.gz"
    xz -0ck "$1" >"$1.xz"
    lzma -0ck "$1" >"$1.lzma"
    lz4 -qc "$1" >"$1.lz4"
    zstd -qfk "$1"
}
