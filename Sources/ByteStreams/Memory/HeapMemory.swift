internal import Glibc

/// Memory of the C library, freed with the last reference. Callers keep writes apart from other uses of the same bytes.
package final class HeapMemory: Sendable {
    private let memory: LentMemory

    /// Takes over memory that `free` frees.
    package init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = LentMemory(memory) }

    deinit { free(writable.baseAddress) }

    package var count: Int { bytes.count }
    package var bytes: UnsafeRawBufferPointer { memory.bytes }
    package var writable: UnsafeMutableRawBufferPointer { memory.writable }
}
