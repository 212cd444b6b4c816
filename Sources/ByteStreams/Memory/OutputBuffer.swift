internal import Dispatch
internal import Glibc
internal import Synchronization

/// Memory that a worker fills and the writer then owns, without a copy between them.
package struct OutputBuffer: ~Copyable {
    package let memory: UnsafeMutableRawBufferPointer
    /// Where the memory goes when it is released.
    private enum Owner {
        case heap
        case pool(BufferPool)
        case sliding(SlidingMemory, position: UInt64)
    }

    private let owner: Owner
    private var isOwner = true
    /// The alignment of memory for any type, in bytes.
    static let alignment = 16
    // The default would be the queue that pipe I/O needs (trap 5 in docs/dispatch-on-linux.md).
    private static let releasing = DispatchQueue(label: "sluice.release")

    /// - Throws: `outOfMemory`; Swift's own allocation would end the process instead.
    package init(capacity: Int) throws(Failure) {
        memory = try Self.allocate(capacity)
        owner = .heap
    }

    /// - Throws: `outOfMemory`.
    package init(from pool: BufferPool) throws(Failure) {
        // Assign one by one: in a tuple assignment, the pool is retained once too often (Swift 6.3).
        memory = try pool.take()
        owner = .pool(pool)
    }

    /// A region of sliding memory, which is not overwritten while it is in use.
    ///
    /// - Throws: `cancelled` if the sliding memory was cancelled.
    package init(in sliding: SlidingMemory, at position: UInt64, count: Int) throws(Failure) {
        memory = try sliding.take(at: position, count: count)
        owner = .sliding(sliding, position: position)
    }

    deinit { if isOwner { Self.release(memory.baseAddress, to: owner) } }

    /// Runs `body` once all buffers dropped so far have been released.
    ///
    /// Buffers are released on a queue, which may be late when the processors are busy. If slots were given back on
    /// another queue, the next chunk could allocate memory before that of the last one is free. (Memory that Dispatch
    /// itself read into is freed at once.)
    package static func afterReleases(_ body: @escaping @Sendable () -> Void) { releasing.async(execute: body) }

    /// Waits until all buffers dropped so far have been released.
    package static func waitForReleases() { releasing.sync {} }

    /// Faults in all of its pages at once, in two thirds of the time that touching them one by one takes.
    package func populate() { populateMemory(memory.baseAddress, memory.count) }

    /// Hands over the first `count` bytes.
    package consuming func finish(count: Int) -> Bytes {
        guard count > 0, let start = memory.baseAddress else { return Bytes() }
        let owner = owner
        isOwner = false
        let filled = UnsafeRawBufferPointer(start: start, count: count)
        return Bytes(
            DispatchData(
                bytesNoCopy: filled, deallocator: .custom(Self.releasing) { Self.release(start, to: owner) }))
    }

    /// Hands over the first `count` bytes to somebody who may keep them for any time: a copy of them, if the decoder of
    /// a frame waits for this memory.
    ///
    /// - Throws: `outOfMemory`.
    package consuming func finish(countToKeep count: Int) throws(Failure) -> Bytes {
        guard case .sliding = owner, count > 0 else { return finish(count: count) }
        let copy = try OutputBuffer(capacity: count)
        copy.memory.copyMemory(from: UnsafeRawBufferPointer(memory.extracting(..<count)))
        return copy.finish(count: count)
    }

    private static func release(_ memory: UnsafeMutableRawPointer?, to owner: Owner) {
        switch owner {
        case .heap: free(memory)
        case .pool(let pool): if let memory { pool.give(memory) }
        case .sliding(let sliding, let position): sliding.give(at: position)
        }
    }

    /// - Parameter alignment: the alignment of the address in bytes, a power of two.
    package static func allocate(_ count: Int, alignment: Int = OutputBuffer.alignment) throws(Failure)
        -> UnsafeMutableRawBufferPointer
    {
        var start: UnsafeMutableRawPointer?
        let code = posix_memalign(&start, alignment, max(count, 1))
        guard code == 0, let start else { throw .outOfMemory }
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }
}

/// A pool of buffers for compressed frames or blocks of them.
///
/// A frame fills only the front of its buffer. In a pooled buffer the rest is never touched, whereas memory from the
/// allocator ends up touched everywhere. So a third less is resident (docs/decisions/memory.md).
package final class BufferPool: Sendable {
    /// The size of each buffer in bytes.
    package let capacity: Int
    private let alignment: Int
    /// Owned by the pool until they are taken. The last one returned is the warmest in the caches.
    private let kept = Mutex<[LentMemory]>([])

    package init(capacity: Int, alignment: Int = OutputBuffer.alignment) {
        (self.capacity, self.alignment) = (capacity, alignment)
    }

    deinit {
        for memory in kept.withLock({ $0 }) { free(memory.writable.baseAddress) }
    }

    /// - Throws: `outOfMemory`.
    func take() throws(Failure) -> UnsafeMutableRawBufferPointer {
        if let memory = kept.withLock({ $0.popLast() }) { return memory.writable }
        return try OutputBuffer.allocate(capacity, alignment: alignment)
    }

    func give(_ memory: UnsafeMutableRawPointer) {
        let memory = LentMemory(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
        kept.withLock { $0.append(memory) }
    }
}
