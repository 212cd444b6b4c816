internal import Glibc

extension HeapMemory: HeldMemory {
    /// Reads a file or a pipe to its end: a dictionary, or the reference of a patch.
    ///
    /// A file is not mapped, since truncating a mapped file kills the process that reads it.
    ///
    /// - Parameter limit: the most bytes that it may have.
    /// - Throws: `reading`, `sourceShrank`, `tooLargeToHold`, or `codec` for `outOfMemory`.
    package convenience init(contentOf source: Source, limit: UInt64) throws(Failure) {
        if let size = source.size, size > limit { throw .tooLargeToHold(limit: limit) }
        // One more byte shows whether the content exceeds the limit. No memory has more than Int.max bytes.
        let room = Int(clamping: min(limit, UInt64(Int.max) - 1)) + 1
        var memory = GrowingMemory()
        try memory.grow(to: min(Int(clamping: source.size ?? 64 << 10), room - 1) + 1)
        while true {
            let rest = memory.rest
            let count = try Failure.reading(source.descriptor.fill(rest))
            memory.count += count
            if UInt64(memory.count) > limit { throw .tooLargeToHold(limit: limit) }
            if count < rest.count { break }
            try memory.grow(to: min(2 * memory.count, room))
        }
        if let size = source.size, UInt64(memory.count) < size {
            throw .sourceShrank(expected: size, read: UInt64(memory.count))
        }
        self.init(memory.finish())
    }
}

/// Memory of the C library, whose allocation may fail; Swift's own would end the process.
private struct GrowingMemory: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// Bytes in use.
    var count = 0

    deinit { free(memory.baseAddress) }

    var rest: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(rebasing: memory[count...]) }

    mutating func grow(to capacity: Int) throws(Failure) {
        guard let larger = realloc(memory.baseAddress, capacity) else { throw .outOfMemory }
        memory = UnsafeMutableRawBufferPointer(start: larger, count: capacity)
    }

    consuming func finish() -> UnsafeMutableRawBufferPointer {
        let used = UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        return used
    }
}
