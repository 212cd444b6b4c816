internal import Glibc

/// Memory of the C library, freed with the last reference. Callers must not write bytes that others are using.
package final class HeapMemory: Sendable {
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
    // An address, because pointers are not Sendable.
    private let address: UInt
    private let count: Int

    package init(_ memory: UnsafeRawBufferPointer) {
        (address, count) = (UInt(bitPattern: memory.baseAddress), memory.count)
    }

    package init(_ memory: UnsafeMutableRawBufferPointer) { self.init(UnsafeRawBufferPointer(memory)) }

    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
    }
    package var writable: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(mutating: bytes) }
}
