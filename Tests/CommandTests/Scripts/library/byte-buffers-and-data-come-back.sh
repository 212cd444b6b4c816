# The example Buffers: swift-nio's ByteBuffer and Foundation's Data, compressed in memory and decompressed.
buffers=$(examples)/Buffers
[ -x "$buffers" ] || skip 'the examples are not built'
"$buffers" some words >said
same said <(printf 'ByteBuffer: some words\nData: some words\n')
