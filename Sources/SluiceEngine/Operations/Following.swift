/// Decompresses a stream of a file that is still being written, from where the last run has ended.
///
/// The first run may begin with the last bytes or lines of what is complete by then. Later ones begin at the start of a
/// stream.
package struct Following: DecodingOperation {
    /// Where the content begins that is written.
    package enum Start: Equatable, Sendable {
        case beginning
        /// Bytes before the end.
        case lastBytes(UInt64)
        /// - end: the byte that ends a line.
        case lastLines(Int, end: UInt8)
    }

    private let file: FollowedFile
    private let start: Start
    package var decompression: Decompression

    package init(_ file: FollowedFile, from start: Start = .beginning, _ decompression: Decompression) {
        (self.file, self.start, self.decompression) = (file, start, decompression)
    }

    package var writesCutFrames: Bool { true }

    package mutating func begin(from source: inout Source, to sink: Sink?) throws(Failure) -> (any Envelope)? {
        source = file.input()
        return nil
    }

    package func run(on engine: Engine) throws(Failure) {
        if start != .beginning, let descriptor = file.file {
            let source = try Source(descriptor, isFresh: true)
            if source.size != nil {
                let found = try self.file.search(engine.latch) {
                    latch throws(Failure) -> (offset: UInt64, skipped: UInt64) in
                    let index = try FrameIndex(ofWholeFramesIn: source, latch)
                    return try self.place(in: index, of: source, latch: latch)
                }
                if let found { self.file.begin(at: found.offset) }
                if let found, found.skipped > 0 {
                    engine.writer.pass(through: RangeFilter(RangeSelection([found.skipped..<UInt64.max])))
                }
            }
        }
        try decompression.run(on: engine, from: file.position)
    }

    /// Where to begin to decode, and how many bytes of the content from there on are not wanted.
    private func place(
        in index: FrameIndex, of source: Source, latch: FailureLatch
    ) throws(Failure) -> (offset: UInt64, skipped: UInt64) {
        let size = index.contentSize
        let wanted: UInt64 =
            switch start {
            case .beginning: 0
            case .lastBytes(let count): size - min(size, count)
            case .lastLines(let count, let end):
                try LineSearch(of: index, in: source, decompression, latch).startOfLast(count, endingIn: end)
            }
        guard let position = index.position(ofContent: wanted) else { return (index.inputSize, 0) }
        let entry = index[position]
        return (entry.input.lowerBound, wanted - entry.content.lowerBound)
    }
}

extension FrameIndex {
    /// The whole frames of a file, which may end within another one.
    ///
    /// - Parameter latch: ends the walk.
    /// - Throws: `indivisible` if they don't state the size of their content.
    fileprivate init(ofWholeFramesIn source: Source, _ latch: FailureLatch) throws(Failure) {
        if case .credible(let index) = try FrameSearch(source: source).tableIndex(reaching: .max, for: []) {
            self = index
            return
        }
        self.init(joinsSmallFrames: true)
        var walk = try FrameWalk(over: source)
        while let step = try walk.next(), step.flaw == nil {
            guard append(step.frame) else { throw .unplacedEnd }
            try latch.check()
        }
    }
}
