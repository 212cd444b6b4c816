/// Holds a range of a damaged file, which moves forward.
final class FileWindow {
    let file: DamagedFile
    private let memory: HeapMemory
    private var held: Range<UInt64> = 0..<0

    /// - Parameter size: the most bytes that are held.
    init(_ file: DamagedFile, size: Int) throws(Failure) {
        self.file = file
        memory = HeapMemory(try OutputBuffer.allocate(size))
    }

    /// The bytes from an offset on, as far as they are held: at least that many, if the file has them.
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

    /// Bytes of the seek table that ends at an offset, as its footer says; nil if none does.
    func tableSize(endingAt end: UInt64) throws(Failure) -> UInt64? {
        let count = UInt64(SeekTable.footerSize)
        guard end >= count else { return nil }
        let footer = try bytes(at: end - count, atLeast: count).prefix(SeekTable.footerSize)
        return SeekTable.encodedSize(footer: UnsafeRawBufferPointer(rebasing: footer))
    }
}
