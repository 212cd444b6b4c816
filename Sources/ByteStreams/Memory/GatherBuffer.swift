internal import Dispatch
internal import Glibc

/// Memory that a worker keeps, in which the regions of a chunk become one, or which it reads a file into.
///
/// It stays the same from chunk to chunk: the processor's cache still has most of it, and no page is touched anew.
///
/// One call of `ZSTD_compress2` on contiguous bytes is faster, and compresses better, than feeding the regions one by
/// one.
package struct GatherBuffer: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer?

    /// Bytes.
    package var capacity: Int { memory?.count ?? 0 }

    package init() {}

    deinit { free(memory?.baseAddress) }

    /// Calls `body` with the bytes as one region, copying them only if they are several.
    package mutating func withContiguous<Result>(
        _ bytes: consuming Bytes, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if bytes.isEmpty { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        if let outcome = bytes.withOnlyRegion(body) { return try outcome.get() }
        let gathered = try gather(bytes)
        // The regions go back to the allocator before the work begins: half of what is in flight.
        bytes = Bytes()
        return try body(gathered)
    }

    /// Room for so many bytes; what was there before may be gone.
    package mutating func room(for count: Int) throws(Failure) -> UnsafeMutableRawBufferPointer {
        if let memory, memory.count >= count { return memory }
        free(memory?.baseAddress)
        memory = nil
        let larger = try OutputBuffer.allocate(count)
        memory = larger
        return larger
    }

    private mutating func gather(_ bytes: borrowing Bytes) throws(Failure) -> UnsafeRawBufferPointer {
        let count = bytes.count
        let memory = try room(for: count)
        bytes.data.enumerateBytes { region, offset, _ in
            UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: UnsafeRawBufferPointer(region))
        }
        return UnsafeRawBufferPointer(rebasing: memory[..<count])
    }
}
