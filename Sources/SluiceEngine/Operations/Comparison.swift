/// Decompresses, verifies, and compares the content with a file from its first byte on, several frames at once. Nothing
/// is written.
///
/// The run fails with `contentDiffers` at the first difference, also if one of the two ends early.
package struct Comparison: DecodingOperation {
    private let reference: ComparedFile
    package var decompression: Decompression

    package init(with reference: ComparedFile, _ decompression: Decompression) {
        self.reference = reference
        self.decompression = decompression
    }

    /// A frame keeps its slots until it is compared, with a buffer for the file.
    package func memory(of size: RunSize) -> Int {
        decompression.memory(of: size) + size.slots * ContentComparison.readSize
    }

    package func run(on engine: Engine) throws(Failure) {
        let comparison = ContentComparison(with: reference, threads: engine.workers, latch: engine.latch)
        engine.writer.show(to: comparison)
        try decompression.run(on: engine)
        try comparison.finish()
    }
}
