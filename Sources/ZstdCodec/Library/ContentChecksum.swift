internal import CXxhash

/// The checksum of a frame's content, which stands at the frame's end (RFC 8878, 3.1.1): the low four bytes of XXH64,
/// with 0 as the seed.
package struct ContentChecksum: ~Copyable, Sendable {
    // An address, for pointers are not Sendable.
    private let address: UInt

    /// Begins the checksum of a content.
    ///
    /// - Throws: `outOfMemory` (`XXH64_createState`).
    package init() throws(CodecFailure) {
        guard let state = XXH64_createState() else { throw .outOfMemory }
        address = UInt(bitPattern: state)
        reset()
    }

    deinit { XXH64_freeState(state) }

    /// The checksum of all bytes since `init` or `reset` (`XXH64_digest`).
    package var value: UInt32 { UInt32(truncatingIfNeeded: wholeValue) }
    /// All eight bytes of it.
    package var wholeValue: UInt64 { XXH64_digest(state) }

    /// Begins that of another content (`XXH64_reset`).
    package mutating func reset() { XXH64_reset(state, 0) }

    /// Adds bytes of the content (`XXH64_update`).
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if !bytes.isEmpty { XXH64_update(state, bytes.baseAddress, bytes.count) }
    }

    private var state: OpaquePointer? { OpaquePointer(bitPattern: address) }
}
