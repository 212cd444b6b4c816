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
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.bufferSize) }
        let read = try Failure.writing(descriptor.fill(&buffer, atLeast: bytes.count, from: position))
        let same = buffer.withUnsafeBytes { bytes.sameBytes(as: UnsafeRawBufferPointer(rebasing: $0[..<read])) }
        position += UInt64(same)
        guard same < bytes.count else { return }
        if same < read, buffer[same] != 0, !replacesOthers { throw .otherSource(offset: position) }
        try end()
    }
}

extension Sink {
    /// The output that an earlier run has left; nil if nothing is kept.
    package func kept(replacesOthers: Bool) -> ResumableContent? {
        guard let resumption, isFile, identity.size > 0 else { return nil }
        return ResumableContent(descriptor, replacesOthers: replacesOthers || resumption == .ofAnySource)
    }
}
