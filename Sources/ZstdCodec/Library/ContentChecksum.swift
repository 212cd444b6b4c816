internal import CXxhash

/// The checksum at the end of a frame (RFC 8878, 3.1.1): the low four bytes of XXH64 of its content, with seed 0.
package struct ContentChecksum: ~Copyable, Sendable {
    /// The distance between checkpoints in bytes; the first one lies at this offset in all content. The content of a
    /// frame before a checkpoint can be verified without decoding the rest (docs/format.md, "Index of members").
    package static let checkpointDistance: UInt64 = 256 << 10

    /// Only this value has the pointer, and only a call that has the value to itself changes what it points to.
    nonisolated(unsafe) private let state: OpaquePointer

    /// - Throws: `outOfMemory`.
    package init() throws(CodecFailure) {
        guard let state = XXH64_createState() else { throw .outOfMemory }
        self.state = state
        reset()
    }

    deinit { XXH64_freeState(state) }

    /// The checksum of all bytes since `init` or `reset`.
    package var value: UInt32 { UInt32(truncatingIfNeeded: wholeValue) }
    /// All eight bytes of XXH64.
    package var wholeValue: UInt64 { XXH64_digest(state) }

    package mutating func reset() { XXH64_reset(state, 0) }

    package mutating func append(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { if !$0.isEmpty { XXH64_update(state, $0.baseAddress, $0.count) } }
    }

    /// The checksum of these bytes.
    package static func of(_ bytes: RawSpan) -> UInt32 { UInt32(truncatingIfNeeded: whole(of: bytes)) }

    /// All eight bytes of XXH64 of these bytes.
    package static func whole(of bytes: RawSpan) -> UInt64 {
        bytes.withUnsafeBytes { XXH64($0.baseAddress, $0.count, 0) }
    }

    /// Starts over, and computes the checksum of a frame in place of libzstd, including those at checkpoints.
    ///
    /// - Parameters:
    ///   - content: the content of the frame.
    ///   - start: its offset in all content.
    /// - Returns: the checksums of the frame's content up to each checkpoint after its start, and of all of it.
    package mutating func checksums(
        of content: RawSpan, from start: UInt64
    ) -> (atCheckpoints: [UInt32], whole: UInt32) {
        reset()
        var (checkpoints, next) = ([UInt32](), Self.checkpointDistance - start % Self.checkpointDistance)
        var rest = content
        while UInt64(rest.byteCount) >= next {
            append(rest.extracting(..<Int(next)))
            checkpoints.append(value)
            rest = rest.extracting(Int(next)...)
            next = Self.checkpointDistance
        }
        append(rest)
        return (checkpoints, value)
    }
}

/// The low 32 bits of XXH64, as in a frame's checksum.
package func contentChecksum(_ content: ArraySlice<UInt8>) -> UInt32 {
    ContentChecksum.of(content.span.bytes)
}
