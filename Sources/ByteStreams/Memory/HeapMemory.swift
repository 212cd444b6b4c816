internal import Glibc

/// Memory of the C library, which is freed when nobody refers to it any more.
///
/// Whoever writes to some of it sees to it that nobody else looks at the same bytes meanwhile.
package final class HeapMemory: Sendable {
    // An address, for pointers are not Sendable.
    private let address: UInt
    /// Bytes.
    package let count: Int

    /// Takes over what `free` is for.
    package init(_ memory: UnsafeMutableRawBufferPointer) {
        address = UInt(bitPattern: memory.baseAddress)
        count = memory.count
    }

    deinit { free(writable.baseAddress) }

    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(writable) }

    /// The same bytes, to be written.
    package var writable: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: address), count: count)
    }
}
