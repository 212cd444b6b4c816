internal import Glibc

/// Memory of the C library, freed with the last reference. Callers must not write bytes that others are using.
package final class HeapMemory: Sendable {
    /// Only this object frees it, when nobody refers to it any more.
    private let memory: LentMemory

    /// Takes ownership of memory that `free` can release.
    package init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = LentMemory(memory) }

    deinit { free(writable.baseAddress) }

    package var count: Int { bytes.count }
    package var bytes: UnsafeRawBufferPointer { memory.bytes }
    package var writable: UnsafeMutableRawBufferPointer { memory.writable }
}

/// Memory owned by something else, such as a caller until a call returns, for a body that runs under a lock.
package struct LentMemory: Sendable {
    /// Sharing it is safe while its owner keeps it, and nobody writes bytes that others are using.
    nonisolated(unsafe) package let writable: UnsafeMutableRawBufferPointer

    package init(_ memory: UnsafeMutableRawBufferPointer) { writable = memory }

    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(writable) }
}
