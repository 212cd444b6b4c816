package import ZstdCodec

/// Decompresses one of several shares of a content: the frames that it has, and no others are read.
struct PartDecompression: DecodingOperation {
    let share: ContentShare
    let content: SharedContent
    let decompression: Decompression

    func memory(of size: RunSize) -> Int { decompression.memory(of: size) + content.index.memory }

    func run(on engine: Engine) throws(Failure) -> Int {
        let (source, place) = (engine.reader.source, content.place(of: share))
        var memory = content.index.memory
        if place.isEmpty {
            try engine.writer.finish(0)
        } else {
            let range = ContentRange(.offset(place.lowerBound), count: place.upperBound - place.lowerBound)
            let extraction = Extraction(
                ranges: [range], decompression: decompression, indexFile: nil, didFind: { _ in })
            memory = try extraction.run(on: engine, content.index)
        }
        guard let now = try? FileIdentity(source.descriptor), now.isUnchanged(since: source.identity) else {
            throw .sourceChanged
        }
        return memory
    }
}

extension Action {
    /// Decompresses one of several shares of a content. Frames are verified, and have to be what the headers or the
    /// seek table said.
    ///
    /// The run fails with `sourceChanged` if the source changed meanwhile.
    ///
    /// - Parameters:
    ///   - share: which of them.
    ///   - content: that of the source.
    ///   - windowLimit: bytes; frames with a larger window are refused.
    ///   - dictionary: what the frames were made with.
    ///   - verifiesChecksums: whether a frame whose checksum is not its content's is an error.
    package static func decompressPart(
        _ share: ContentShare, of content: SharedContent, windowLimit: UInt64 = Decompression.defaultWindowLimit,
        dictionary: DecompressionDictionary? = nil, verifiesChecksums: Bool = true
    ) -> Action {
        let decompression = Decompression(
            windowLimit: windowLimit, dictionary: dictionary, verifiesChecksums: verifiesChecksums)
        return Action(operation: PartDecompression(share: share, content: content, decompression: decompression))
    }
}
