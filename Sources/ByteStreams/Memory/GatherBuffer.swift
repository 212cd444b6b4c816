internal import Glibc

/// Memory of a worker in which the regions of a chunk become one region, or into which a file is read.
///
/// It is kept from chunk to chunk, so most of it is still in the processor's cache, and its pages need not be faulted
/// in again. One call of `ZSTD_compress2` on contiguous bytes is faster, and compresses better, than one call per
/// region.
package struct GatherBuffer: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer?

    /// The size in bytes.
    package var capacity: Int { memory?.count ?? 0 }

    package init() {}

    deinit { free(memory?.baseAddress) }

    /// Calls `body` with the bytes as one region. They are copied only if they lie in several.
    package mutating func withContiguous<Result>(
        _ bytes: consuming Bytes, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if bytes.isEmpty { return try body(RawSpan()) }
        if let outcome = bytes.withOnlyRegion(body) { return try outcome.get() }
        let memory = try room(for: bytes.count)
        bytes.copy(to: memory)
        // Free the regions before the work begins: they would be half of the memory in flight.
        bytes = Bytes()
        return try body(memory.bytes)
    }

    /// Memory of `count` bytes: the first bytes of the existing buffer, with their content, or a new buffer.
    package mutating func room(for count: Int) throws(Failure) -> UnsafeMutableRawBufferPointer {
        if let memory, memory.count >= count { return memory.extracting(..<count) }
        free(memory?.baseAddress)
        memory = nil
        let larger = try OutputBuffer.allocate(count)
        memory = larger
        return larger
    }
}
