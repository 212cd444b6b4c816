internal import SystemPackage

/// The output that an earlier run has left: bytes that are the same are not written again.
///
/// They are compared in the order of the output, up to the first byte that differs or is missing. There the file is
/// cut, and written from then on.
package struct ResumableContent: Sendable {
    /// Bytes of one read.
    private static let bufferSize = 256 << 10

    private let descriptor: FileDescriptor
    private let replacesOthers: Bool
    private var position: UInt64 = 0
    private var buffer: [UInt8] = []
    /// Which bytes of the file the buffer has.
    private var buffered: Range<UInt64> = 0..<0
    /// Whether nothing is left to be compared.
    package private(set) var isOver = false

    /// - Parameter replacesOthers: whether bytes that differ are replaced, and no error. Zeros always are:
    ///   the right bytes were not on the disk yet at a power cut.
    init(_ descriptor: FileDescriptor, replacesOthers: Bool) {
        (self.descriptor, self.replacesOthers) = (descriptor, replacesOthers)
    }

    /// Compares the next bytes of the output.
    ///
    /// - Returns: how many are there already.
    /// - Throws: `otherSource`, and `writing` if the file can't be read or cut.
    package mutating func match(_ bytes: Bytes) throws(Failure) -> Int {
        let start = position
        try bytes.forEachRegion { region throws(Failure) in
            var rest = region
            while !rest.isEmpty, !isOver {
                try match(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.bufferSize)))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Self.bufferSize))
            }
        }
        return Int(position - start)
    }

    /// Cuts the file after the bytes that were compared, and ends the comparison.
    package mutating func end() throws(Failure) {
        isOver = true
        buffer = []
        try Failure.writing(descriptor.cut(to: position))
    }

    private mutating func match(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        if position + UInt64(bytes.count) > buffered.upperBound { try readOn(atLeast: bytes.count) }
        let kept = Int(position - buffered.lowerBound)..<buffered.count
        let same = buffer.withUnsafeBytes { bytes.sameBytes(as: UnsafeRawBufferPointer(rebasing: $0[kept])) }
        position += UInt64(same)
        guard same < bytes.count else { return }
        if same < kept.count, buffer[kept.lowerBound + same] != 0, !replacesOthers {
            throw .otherSource(offset: position)
        }
        try end()
    }

    /// Reads the bytes from `position` on, as many as fit: a read for each small frame would read the next ones again.
    private mutating func readOn(atLeast count: Int) throws(Failure) {
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.bufferSize) }
        let read = try Failure.writing(descriptor.fill(&buffer, atLeast: count, from: position))
        buffered = position..<position + UInt64(read)
    }
}

extension Sink {
    /// The output that an earlier run has left; nil if nothing is kept.
    package func kept(replacesOthers: Bool) -> ResumableContent? {
        guard let resumption, isFile, identity.size > 0 else { return nil }
        return ResumableContent(descriptor, replacesOthers: replacesOthers || resumption == .ofAnySource)
    }
}
