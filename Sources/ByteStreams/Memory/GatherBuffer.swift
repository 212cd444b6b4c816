internal import Glibc

/// Memory that a worker keeps, to make one region of a chunk's regions, or to read a file into.
///
/// It stays the same from chunk to chunk: most of it is still in the processor's cache, and no page is touched anew.
/// One call of `ZSTD_compress2` on contiguous bytes is faster, and compresses better, than one call for each region.
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
        let memory = try room(for: bytes.count)
        bytes.copy(to: memory)
        // Freed before the work begins, the regions are no longer half of the memory in flight.
        bytes = Bytes()
        return try body(UnsafeRawBufferPointer(memory))
    }

    /// Memory of `count` bytes: new, or the first ones that it has, as they were.
    package mutating func room(for count: Int) throws(Failure) -> UnsafeMutableRawBufferPointer {
        if let memory, memory.count >= count { return UnsafeMutableRawBufferPointer(rebasing: memory[..<count]) }
        free(memory?.baseAddress)
        memory = nil
        let larger = try OutputBuffer.allocate(count)
        memory = larger
        return larger
    }
}
