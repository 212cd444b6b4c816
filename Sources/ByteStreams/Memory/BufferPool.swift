internal import Glibc
internal import Synchronization

/// Memory for compressed frames or blocks of them, which is used again.
///
/// A frame fills the front of its buffer only. A buffer that is kept stays untouched past that, while memory from the
/// allocator ends up touched everywhere: a third less is resident (docs/decisions/allocator.md).
package final class BufferPool: Sendable {
    /// Bytes of each buffer.
    package let capacity: Int
    private let alignment: Int
    // Addresses, because pointers are not Sendable. The last one that came back is the warmest in the caches.
    private let kept = Mutex<[UInt]>([])

    package init(capacity: Int, alignment: Int = OutputBuffer.alignment) {
        (self.capacity, self.alignment) = (capacity, alignment)
    }

    deinit {
        for address in kept.withLock({ $0 }) { free(UnsafeMutableRawPointer(bitPattern: address)) }
    }

    /// - Throws: `outOfMemory`.
    func take() throws(Failure) -> UnsafeMutableRawBufferPointer {
        let address = kept.withLock { $0.popLast() }
        guard let start = address.flatMap({ UnsafeMutableRawPointer(bitPattern: $0) }) else {
            return try OutputBuffer.allocate(capacity, alignment: alignment)
        }
        return UnsafeMutableRawBufferPointer(start: start, count: capacity)
    }

    func give(_ memory: UnsafeMutableRawPointer) {
        kept.withLock { $0.append(UInt(bitPattern: memory)) }
    }
}
