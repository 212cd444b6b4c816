internal import Glibc

/// Memory of the C library, freed with the last reference. Callers keep writes apart from other uses of the same bytes.
package final class HeapMemory: Sendable {
    // An address, because pointers are not Sendable.
    private let address: UInt
    /// Bytes.
    package let count: Int

    /// Takes over memory that `free` frees.
    package init(_ memory: UnsafeMutableRawBufferPointer) {
        (address, count) = (UInt(bitPattern: memory.baseAddress), memory.count)
    }

    deinit { free(writable.baseAddress) }

    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(writable) }
    package var writable: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: address), count: count)
    }
}
