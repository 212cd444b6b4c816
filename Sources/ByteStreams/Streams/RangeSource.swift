/// An origin any range of which can be read: a file on a server, an object of a store, a large object of a database.
///
/// To read such an origin, conform a type to it, and open a `CompressedFile` with it. Its bytes must not change;
/// a source that detects a change should throw.
///
///     struct Bytes: RangeSource {
///         let bytes: [UInt8]
///         var size: Int { bytes.count }
///         func read(from offset: Int, into memory: inout OutputRawSpan) throws {
///             for byte in bytes[offset..<offset + memory.freeCapacity] { memory.append(byte) }
///         }
///     }
///     let file = try CompressedFile(Bytes(bytes: frame))
public protocol RangeSource: Sendable {
    /// How many bytes there are.
    var size: Int { get }

    /// Reads bytes until the memory is full. Several threads call it at the same time, and wait in it.
    ///
    /// - Parameters:
    ///   - offset: where to begin, in bytes from the start; the origin has all bytes that are requested.
    ///   - memory: receives the bytes; `freeCapacity` is how many are requested.
    /// - Throws: whatever keeps the memory from being full. A `Failure` is passed on as it is; other errors become the
    ///   cause of one with the code `reading`.
    func read(from offset: Int, into memory: inout OutputRawSpan) throws

    /// Says which small ranges will be read next, so that an origin far away can read them at the same time. By default
    /// it does nothing.
    func prepare(_ ranges: [Range<Int>])

    /// Makes calls of `read` throw: those that are waiting, and all later ones. Any thread may call it. By default it
    /// does nothing.
    func cancel()
}

extension RangeSource {
    /// Does nothing: each range is read when its turn comes.
    public func prepare(_ ranges: [Range<Int>]) {}

    /// Does nothing: calls of `read` end by themselves.
    public func cancel() {}

    /// Fills all of the memory.
    ///
    /// - Throws: `reading` if bytes are missing; what `read` throws.
    package func fill(_ memory: UnsafeMutableRawBufferPointer, from offset: UInt64) throws(Failure) {
        if memory.isEmpty { return }
        var span = OutputRawSpan(buffer: memory, initializedCount: 0)
        do { try read(from: Int(clamping: offset), into: &span) } catch {
            throw error as? Failure ?? Failure(.reading, "can't read: \(error)", cause: error)
        }
        let filled = span.finalize(for: memory)
        if filled < memory.count { throw Failure(.reading, "can't read: \(memory.count - filled) bytes are missing") }
    }
}
