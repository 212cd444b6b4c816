internal import CXxhash

/// The bytes of a file with parity, which may be damaged.
package protocol ParityOrigin {
    associatedtype Failure: Error

    var size: UInt64 { get }

    /// Fills the memory with bytes that the file has, or with zeros where it can't be read.
    func read(at offset: UInt64, into memory: UnsafeMutableRawBufferPointer) throws(Failure)

    /// Throws if nobody waits for the result any more.
    func checkCancelled() throws(Failure)
}

extension ParityOrigin {
    /// Bytes of the file; nil if it ends before.
    package func bytes(at offset: UInt64, count: Int) throws(Failure) -> [UInt8]? {
        guard offset <= size, UInt64(count) <= size - offset else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        try fill(&bytes, count, from: offset)
        return bytes
    }

    /// Fills the first bytes of memory.
    func fill(_ bytes: inout [UInt8], _ count: Int, from offset: UInt64) throws(Failure) {
        try withMemory(of: &bytes, count) { memory throws(Failure) in try read(at: offset, into: memory) }
    }

    /// XXH64 of a range.
    func hash(of range: Range<UInt64>) throws(Failure) -> UInt64 {
        guard let state = XXH64_createState() else { return 0 }
        defer { XXH64_freeState(state) }
        XXH64_reset(state, 0)
        var buffer = [UInt8](repeating: 0, count: Int(min(1 << 20, UInt64(range.count))))
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = Int(min(UInt64(buffer.count), range.upperBound - offset))
            try fill(&buffer, count, from: offset)
            XXH64_update(state, buffer, count)
            offset += UInt64(count)
        }
        return XXH64_digest(state)
    }
}

extension ParityOrigin {
    /// Whether the file has a range that may begin before it.
    func has(_ start: Int64, count: Int) -> Bool {
        start >= 0 && UInt64(start) <= size && UInt64(count) <= size - UInt64(start)
    }

    /// Whether the file has these bytes at an offset.
    func has(_ bytes: [UInt8], at start: Int64) throws(Failure) -> Bool {
        guard has(start, count: bytes.count) else { return false }
        return try self.bytes(at: UInt64(start), count: bytes.count) == bytes
    }
}

/// Lends the memory of the first bytes of an array, with the type of what is thrown.
func withMemory<Value, Thrown>(
    of bytes: inout [UInt8], _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Thrown) -> Value
) throws(Thrown) -> Value {
    let outcome = bytes.withUnsafeMutableBytes { memory -> Result<Value, Thrown> in
        let part = UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
        return Result { () throws(Thrown) in try body(part) }
    }
    return try outcome.get()
}
