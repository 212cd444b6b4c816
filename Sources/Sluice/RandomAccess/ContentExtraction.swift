internal import ZstdCodec

/// Decompresses a range of the content of a file whose frames are known.
struct ContentExtraction: DecodingOperation {
    let index: FrameIndex
    let extraction: Extraction

    init(_ range: Range<UInt64>, of index: FrameIndex, _ decompression: Decompression) {
        self.index = index
        extraction = Extraction(
            ranges: [ContentRange(.offset(range.lowerBound), count: UInt64(range.count))],
            decompression: decompression, indexFile: nil, didFind: { _ in })
    }

    var decompression: Decompression { extraction.decompression }

    func run(on engine: Engine) throws(Failure) -> Int { try extraction.run(on: engine, index) }
}
