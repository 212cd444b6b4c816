internal import Glibc
internal import ZstdCodec

/// Memory of the C library, which is freed when nobody refers to it any more.
///
/// Whoever writes to some of it sees to it that nobody else looks at the same bytes meanwhile.
final class HeapMemory: HeldMemory {
    // An address, for pointers are not Sendable.
    private let address: UInt
    /// Bytes.
    let count: Int

    /// Takes over what `free` is for.
    init(_ memory: UnsafeMutableRawBufferPointer) {
        address = UInt(bitPattern: memory.baseAddress)
        count = memory.count
    }

    deinit { free(writable.baseAddress) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(writable) }

    /// The same bytes, to be written.
    var writable: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: address), count: count)
    }
}
