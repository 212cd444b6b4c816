/// Decompresses one of several shares of a content, and reads no other frames.
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
            memory = try Extraction(ranges: [range], decompression: decompression, index: content.index).run(on: engine)
        }
        try source.checkUnchanged()
        return memory
    }
}

extension Source {
    /// - Throws: `sourceChanged` if the file has another size or time than when it was opened.
    func checkUnchanged() throws(Failure) {
        guard let now = try? FileIdentity(descriptor), now.isUnchanged(since: identity) else { throw .sourceChanged }
    }
}

extension Action {
    /// Decompresses one of several shares of a content. Frames are verified, and must be what the headers or the seek
    /// table said.
    ///
    /// The run fails with `sourceChanged` if the source changes meanwhile.
    ///
    /// - Parameter content: the content of the run's source.
    package static func decompressPart(
        _ share: ContentShare, of content: SharedContent, _ decompression: Decompression = Decompression()
    ) -> Action {
        Action(operation: PartDecompression(share: share, content: content, decompression: decompression))
    }
}
