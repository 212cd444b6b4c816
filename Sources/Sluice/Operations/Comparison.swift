/// Decompresses, and compares the content with a file from its first byte on. Nothing is written.
struct Comparison: DecodingOperation {
    let reference: ReferenceFile
    var decompression: Decompression

    /// A frame waits in its slots to be compared.
    func memory(of size: RunSize) -> Int {
        decompression.memory(of: size) + size.slots * ContentComparison.readSize
    }

    func run(on engine: Engine) throws(Failure) {
        let comparison = engine.writer.surround { sink in
            ContentComparison(sink, with: reference, threads: engine.workers, latch: engine.latch)
        }
        try decompression.run(on: engine)
        try comparison.finish()
    }
}

extension Action {
    /// Decompresses, verifies, and compares the content with a file, several frames at once; nothing is written.
    ///
    /// The run fails with `contentDiffers` at the first difference, also where one of both ends early.
    package static func compare(with reference: ReferenceFile, _ decompression: Decompression) -> Action {
        Action(operation: Comparison(reference: reference, decompression: decompression))
    }
}
