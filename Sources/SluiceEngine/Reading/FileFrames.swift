/// The bytes of a file, for a walk over its frames.
struct FileFrames: FrameOrigin {
    /// Bytes that are read for a single header, and for headers that lie close together.
    private static let reads = (single: 32, close: 64 << 10)
    /// Headers that are fewer bytes apart lie close together.
    private static let near: UInt64 = 4 << 10
    /// Bytes per read of a file that will be read completely.
    private static let all = 1 << 20

    private let source: Source
    private let memory: HeapMemory
    private let readsAll: Bool
    /// The bytes of the file that are in memory.
    private var held: Range<UInt64>?

    fileprivate init(_ source: Source, readsAll: Bool) throws(Failure) {
        (self.source, self.readsAll) = (source, readsAll)
        memory = HeapMemory(try OutputBuffer.allocate(readsAll ? Self.all : Self.reads.close))
    }

    var size: UInt64 { source.size ?? 0 }

    /// - Throws: `reading`, `sourceShrank`.
    mutating func bytes(from offset: UInt64) throws(Failure) -> UnsafeRawBufferPointer {
        let held: Range<UInt64>
        if let last = self.held, last.contains(offset) {
            held = last
        } else {
            // The first header may be the only one.
            let isNear = self.held.map { offset >= $0.upperBound && offset - $0.upperBound < Self.near } ?? false
            let room = memory.writable.extracting(..<(isNear || readsAll ? memory.writable.count : Self.reads.single))
            let count = try source.fill(room, from: offset)
            if count == 0, offset < size { throw .sourceShrank(expected: size, read: offset) }
            held = offset..<offset + UInt64(count)
            self.held = held
        }
        return UnsafeRawBufferPointer(memory.writable.extracting(Int(offset - held.lowerBound)..<held.count))
    }
}

extension FrameWalk<FileFrames> {
    /// Walks over the frames of a file, from its descriptor's position on.
    ///
    /// - Parameter readsAll: whether what lies between the headers will be read too.
    init(over source: Source, readsAll: Bool = false) throws(Failure) {
        self.init(over: try FileFrames(source, readsAll: readsAll), ignoresZeros: source.ignoresZeros)
    }

    /// The next frame; nil after the last one.
    ///
    /// - Throws: `reading`, `sourceShrank`, or `codec` for what is wrong with the frame.
    mutating func nextWhole() throws(Failure) -> FrameScanner.Frame? {
        guard let step = try next() else { return nil }
        if let flaw = step.flaw { throw .codec(flaw) }
        return step.frame
    }
}
