internal import SystemPackage

/// Compares the new output with what an earlier run has left of it, so that matching bytes are not written again.
///
/// The comparison proceeds in order, up to the first byte that differs or is missing. The file is truncated there, and
/// all later bytes are written.
package struct ResumeComparison: Sendable {
    /// The size of a read in bytes.
    private static let bufferSize = 256 << 10

    private let descriptor: FileDescriptor
    private let replacesOthers: Bool
    private var position: UInt64 = 0
    private var buffer: [UInt8] = []
    /// The range of the file in the buffer.
    private var buffered: Range<UInt64> = 0..<0
    /// Whether the comparison has ended.
    package private(set) var isOver = false

    /// - Parameter replacesOthers: whether to replace bytes that differ instead of failing. Zeros are always replaced:
    ///   after a power cut they may stand for data that was not on disk yet.
    init(_ descriptor: FileDescriptor, replacesOthers: Bool) {
        (self.descriptor, self.replacesOthers) = (descriptor, replacesOthers)
    }

    /// Compares the next bytes of the output.
    ///
    /// - Returns: how many of them are already in the file.
    /// - Throws: `otherSource`, and `writing` if the file can't be read or cut.
    package mutating func match(_ bytes: Bytes) throws(Failure) -> Int {
        let start = position
        try bytes.forEachRegion { region throws(Failure) in
            var rest = region
            while !rest.isEmpty, !isOver {
                try match(rest.extracting(first: Self.bufferSize))
                rest = rest.extracting(droppingFirst: Self.bufferSize)
            }
        }
        return Int(position - start)
    }

    /// Truncates the file after the bytes that were compared, and ends the comparison.
    package mutating func end() throws(Failure) {
        isOver = true
        buffer = []
        try Failure.writing(descriptor.truncate(to: position))
    }

    private mutating func match(_ bytes: RawSpan) throws(Failure) {
        if position + UInt64(bytes.byteCount) > buffered.upperBound { try readOn(atLeast: bytes.byteCount) }
        let kept = Int(position - buffered.lowerBound)..<buffered.count
        let same = bytes.sameBytes(as: buffer.span.bytes.extracting(kept))
        position += UInt64(same)
        guard same < bytes.byteCount else { return }
        if same < kept.count, buffer[kept.lowerBound + same] != 0, !replacesOthers {
            throw .otherSource(offset: position)
        }
        try end()
    }

    /// Fills the buffer from `position` on. It is kept between calls, so that small frames do not each read the same
    /// bytes again.
    private mutating func readOn(atLeast count: Int) throws(Failure) {
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.bufferSize) }
        let read = try Failure.writing(descriptor.fill(&buffer, atLeast: count, from: position))
        buffered = position..<position + UInt64(read)
    }
}

extension Sink {
    /// A comparison with the output that an earlier run has left; nil if there is nothing to compare.
    package func kept(replacesOthers: Bool) -> ResumeComparison? {
        guard let resumption, isFile, let descriptor, identity.size > 0 else { return nil }
        return ResumeComparison(descriptor, replacesOthers: replacesOthers || resumption == .ofAnySource)
    }
}
