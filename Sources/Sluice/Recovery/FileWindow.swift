internal import ByteStreams

/// A stretch of a damaged file that is held, for whoever goes through it from front to back.
final class FileWindow {
    private let file: DamagedFile
    private let memory: HeapMemory
    private var held: Range<UInt64> = 0..<0

    /// - Parameter size: bytes that are held.
    init(_ file: DamagedFile, size: Int) throws(Failure) {
        self.file = file
        memory = HeapMemory(try OutputBuffer.allocate(size))
    }

    /// The bytes from there on, as far as they are held: so many at least, if the file has them.
    func bytes(at offset: UInt64, atLeast least: UInt64) throws(Failure) -> UnsafeRawBufferPointer {
        let least = min(least, file.size - min(offset, file.size))
        if !held.contains(offset) || held.upperBound - offset < least {
            held = 0..<0
            let end = min(file.size, offset + UInt64(memory.count))
            guard offset < end else { return UnsafeRawBufferPointer(start: nil, count: 0) }
            try file.read(at: offset, into: .init(rebasing: memory.writable[..<Int(end - offset)]))
            held = offset..<end
        }
        return .init(rebasing: memory.bytes[Int(offset - held.lowerBound)..<held.count])
    }
}
