internal import CXxhash

/// The checksum at the end of a frame (RFC 8878, 3.1.1): the low four bytes of XXH64 of its content, with seed 0.
package struct ContentChecksum: ~Copyable, Sendable {
    /// The distance between checkpoints in bytes; the first one lies at this offset in all content. The content of a
    /// frame before a checkpoint can be verified without decoding the rest (docs/format.md, "Index of members").
    package static let checkpointDistance: UInt64 = 256 << 10

    // An address, because pointers are not Sendable.
    private let address: UInt

    /// - Throws: `outOfMemory`.
    package init() throws(CodecFailure) {
        guard let state = XXH64_createState() else { throw .outOfMemory }
        address = UInt(bitPattern: state)
        reset()
    }

    deinit { XXH64_freeState(state) }

    /// The checksum of all bytes since `init` or `reset`.
    package var value: UInt32 { UInt32(truncatingIfNeeded: wholeValue) }
    /// All eight bytes of XXH64.
    package var wholeValue: UInt64 { XXH64_digest(state) }

    package mutating func reset() { XXH64_reset(state, 0) }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if !bytes.isEmpty { XXH64_update(state, bytes.baseAddress, bytes.count) }
    }

    /// The checksum of these bytes.
    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 { UInt32(truncatingIfNeeded: whole(of: bytes)) }

    /// All eight bytes of XXH64 of these bytes.
    package static func whole(of bytes: UnsafeRawBufferPointer) -> UInt64 { XXH64(bytes.baseAddress, bytes.count, 0) }

    /// Starts over, and computes the checksum of a frame in place of libzstd, including those at checkpoints.
    ///
    /// - Parameters:
    ///   - content: the content of the frame.
    ///   - start: its offset in all content.
    /// - Returns: the checksums of the frame's content up to each checkpoint after its start, and of all of it.
    package mutating func checksums(
        of content: UnsafeRawBufferPointer, from start: UInt64
    ) -> (atCheckpoints: [UInt32], whole: UInt32) {
        reset()
        var (checkpoints, rest): ([UInt32], UnsafeRawBufferPointer) = ([], content)
        var next = Self.checkpointDistance - start % Self.checkpointDistance
        while UInt64(rest.count) >= next {
            append(UnsafeRawBufferPointer(rebasing: rest[..<Int(next)]))
            checkpoints.append(value)
            rest = UnsafeRawBufferPointer(rebasing: rest[Int(next)...])
            next = Self.checkpointDistance
        }
        append(rest)
        return (checkpoints, value)
    }

    private var state: OpaquePointer? { OpaquePointer(bitPattern: address) }
}

/// The low 32 bits of XXH64, as in a frame's checksum.
package func contentChecksum(_ content: ArraySlice<UInt8>) -> UInt32 {
    content.withUnsafeBytes(ContentChecksum.of)
}
