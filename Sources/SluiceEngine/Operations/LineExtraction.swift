/// Decompresses the last lines of a file's content: of those before, only the frames are decoded in which lines have to
/// be counted.
package struct LineExtraction: DecodingOperation {
    private let count: Int
    private let end: UInt8
    package var decompression: Decompression

    /// - Parameters:
    ///   - count: how many lines are wanted.
    ///   - end: the byte that ends a line.
    package init(last count: Int, endingIn end: UInt8, _ decompression: Decompression) {
        (self.count, self.end, self.decompression) = (count, end, decompression)
    }

    package func run(on engine: Engine) throws(Failure) {
        let source = engine.reader.source
        let content: ContentShares
        do throws(Failure) {
            content = try ContentShares(
                of: source, verifiesChecksums: decompression.limits.verifiesChecksums, mayBeOneFrame: true)
        } catch {
            switch error.code {
            case .sizeUnknown: throw .onlyForward(isFile: false)
            case .indivisible: throw .unplacedEnd
            default: throw error
            }
        }
        let lines = try LineSearch(of: content.index, in: source, decompression, engine.latch)
        let start = try lines.startOfLast(count, endingIn: end)
        let range = ContentRange(.offset(start), count: content.size - start)
        try Extraction([range], of: content, decompression).run(on: engine)
    }
}
