package import ByteStreams
internal import Glibc
internal import SystemPackage
internal import ZstdCodec

/// A file with unreadable ranges, which read as zeros and are recorded as lost.
///
/// Used by one thread. A read that fails is retried sector by sector; a sector that failed is not read again.
package final class DamagedFile {
    /// The smallest unit of a disk, in bytes.
    private static let sector: UInt64 = 512
    /// Errors that mean that a disk or file system has lost data.
    private static let losses: Set<Int32> = [EIO, EBADMSG, ENODATA, EREMOTEIO, EUCLEAN, EILSEQ]

    /// Bytes. What follows a seek table may be left out.
    package var size: UInt64
    private let source: Source
    private let latch: FailureLatch
    package private(set) var unreadable = RangeSet<UInt64>()

    /// Whether each read is a request, so that a few large ones take less time than many small ones.
    let isRemote: Bool

    /// - Parameters:
    ///   - isRemote: nil if the source is remote where it has no descriptor.
    ///   - unreadable: what is known not to be readable, and is not tried again.
    package init(
        _ source: Source, size: UInt64, latch: FailureLatch, isRemote: Bool? = nil,
        unreadable: RangeSet<UInt64> = RangeSet()
    ) {
        self.unreadable = unreadable
        self.source = source
        self.size = size
        self.latch = latch
        self.isRemote = isRemote ?? (source.ranges != nil)
    }

    /// - Throws: `cancelled` if the run has ended.
    package func checkCancelled() throws(Failure) { try latch.check() }

    /// Whether no read of the range has failed so far.
    package func isLegible(_ range: Range<UInt64>) -> Bool {
        unreadable.isEmpty || unreadable.isDisjoint(RangeSet(range))
    }

    /// Fills memory from an offset on, with zeros where the file can't be read.
    ///
    /// - Throws: `reading` for errors other than lost data, `sourceShrank`, `cancelled`.
    package func read(at offset: UInt64, into memory: UnsafeMutableRawBufferPointer) throws(Failure) {
        var range = RangeSet(offset..<offset + UInt64(memory.count))
        if !isLegible(offset..<offset + UInt64(memory.count)) {
            for known in range.intersection(unreadable).ranges { clear(known, of: offset, in: memory) }
            range.subtract(unreadable)
        }
        for range in range.ranges where try !fetch(range, of: offset, into: memory) {
            var start = range.lowerBound
            while start < range.upperBound {
                // Sectors begin at multiples of their size in the file, but offsets count from the source's start.
                let next = (source.start + start) / Self.sector * Self.sector + Self.sector - source.start
                let sector = start..<min(next, range.upperBound)
                if try !fetch(sector, of: offset, into: memory) {
                    clear(sector, of: offset, in: memory)
                    unreadable.insert(contentsOf: sector)
                }
                start = sector.upperBound
            }
        }
    }

    /// - Returns: false if the disk has lost some of it.
    private func fetch(
        _ range: Range<UInt64>, of offset: UInt64, into memory: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Bool {
        try latch.check()
        do throws(Failure) {
            try source.read(range, into: part(range, of: offset, memory))
            return true
        } catch {
            guard error.code == .reading, let code = error.errno, Self.losses.contains(code.rawValue) else {
                throw error
            }
            return false
        }
    }

    private func part(
        _ range: Range<UInt64>, of offset: UInt64, _ memory: UnsafeMutableRawBufferPointer
    ) -> UnsafeMutableRawBufferPointer {
        memory.extracting(Int(range.lowerBound - offset)..<Int(range.upperBound - offset))
    }

    private func clear(_ range: Range<UInt64>, of offset: UInt64, in memory: UnsafeMutableRawBufferPointer) {
        _ = part(range, of: offset, memory).initializeMemory(as: UInt8.self, repeating: 0)
    }
}

/// A buffer that holds one range of a damaged file at a time.
final class FileWindow: FrameOrigin {
    /// Bytes that are read for a header that lies alone.
    private static let single: UInt64 = 32
    /// Headers that are fewer bytes apart lie close together.
    private static let near: UInt64 = 4 << 10

    let file: DamagedFile
    private let memory: HeapMemory
    private var held: Range<UInt64> = 0..<0

    /// - Parameter size: the most bytes that are held.
    init(_ file: DamagedFile, size: Int) throws(Failure) {
        self.file = file
        memory = HeapMemory(try OutputBuffer.allocate(size))
    }

    /// A window for a walk over headers.
    convenience init(forWalkOver file: DamagedFile) throws(Failure) {
        try self.init(file, size: file.isRemote ? 1 << 20 : 64 << 10)
    }

    /// The held bytes from an offset on: at least `least`, unless the file ends before.
    ///
    /// - Parameter most: the most bytes that are read; nil for as many as there is memory for.
    func bytes(
        at offset: UInt64, atLeast least: UInt64, most: UInt64? = nil
    ) throws(Failure) -> UnsafeRawBufferPointer {
        let least = min(least, file.size - min(offset, file.size))
        if !held.contains(offset) || held.upperBound - offset < least {
            held = 0..<0
            let end = min(file.size, offset + (most ?? UInt64(memory.count)))
            guard offset < end else { return UnsafeRawBufferPointer(start: nil, count: 0) }
            try file.read(at: offset, into: memory.writable.extracting(..<Int(end - offset)))
            held = offset..<end
        }
        return UnsafeRawBufferPointer(memory.writable.extracting(Int(offset - held.lowerBound)..<held.count))
    }

    var size: UInt64 { file.size }

    /// A header, and what follows it if the last one lies close to it.
    func bytes(from offset: UInt64) throws(Failure) -> UnsafeRawBufferPointer {
        let isNear = offset >= held.lowerBound && offset < held.upperBound + Self.near
        return try bytes(at: offset, atLeast: Self.single, most: isNear || file.isRemote ? nil : Self.single)
    }

    /// The size of the seek table that ends at an offset, according to its footer; nil if there is none.
    func tableSize(endingAt end: UInt64) throws(Failure) -> UInt64? {
        let count = UInt64(SeekTable.footerSize)
        guard end >= count else { return nil }
        let footer = try bytes(at: end - count, atLeast: count)
        return SeekTable.encodedSize(footer: footer.bytes.extracting(first: SeekTable.footerSize))
    }
}
