internal import Glibc

/// A file with ranges that can't be read, which count as zeros, and as lost.
///
/// One thread reads it. A read that fails is tried again in halves, down to a sector; sectors that failed are not read
/// again.
final class DamagedFile {
    /// The smallest unit of a disk, in bytes.
    private static let sector: UInt64 = 512
    /// The errors of disks and file systems that have lost data.
    private static let losses: Set<Int32> = [EIO, EBADMSG, ENODATA, EREMOTEIO, EUCLEAN, EILSEQ]

    /// Bytes.
    let size: UInt64
    private let source: Source
    private let latch: FailureLatch
    /// In order, and not adjacent.
    private(set) var unreadable: [Range<UInt64>] = []

    init(_ source: Source, size: UInt64, latch: FailureLatch) {
        self.source = source
        self.size = size
        self.latch = latch
    }

    /// Whether no byte of a range has failed to be read.
    func isLegible(_ range: Range<UInt64>) -> Bool {
        let place = place(of: range.lowerBound)
        return place == unreadable.count || unreadable[place].lowerBound >= range.upperBound
    }

    /// Fills memory from an offset on, with zeros where the file can't be read.
    ///
    /// - Throws: `reading` for other errors than lost data, `sourceShrank`, `cancelled`.
    func read(at offset: UInt64, into memory: UnsafeMutableRawBufferPointer) throws(Failure) {
        var rest = offset..<offset + UInt64(memory.count)
        while !rest.isEmpty {
            let place = place(of: rest.lowerBound)
            let end = rest.upperBound..<rest.upperBound
            let known = place < unreadable.count ? unreadable[place].clamped(to: rest) : end
            try fetch(rest.lowerBound..<known.lowerBound, of: offset, into: memory)
            clear(known, of: offset, in: memory)
            rest = known.upperBound..<rest.upperBound
        }
    }

    private func fetch(
        _ range: Range<UInt64>, of offset: UInt64, into memory: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        if range.isEmpty { return }
        try latch.check()
        do throws(Failure) {
            return try source.read(range, into: part(range, of: offset, memory))
        } catch {
            guard error.code == .reading, let code = error.errno, Self.losses.contains(code.rawValue) else {
                throw error
            }
        }
        guard let middle = middle(of: range) else {
            clear(range, of: offset, in: memory)
            return note(range)
        }
        try fetch(range.lowerBound..<middle, of: offset, into: memory)
        try fetch(middle..<range.upperBound, of: offset, into: memory)
    }

    /// The end of a sector about in the middle; nil within a sector.
    private func middle(of range: Range<UInt64>) -> UInt64? {
        let sector = Self.sector
        let (first, end) = (source.start + range.lowerBound, source.start + range.upperBound)
        var middle = (first + (end - first) / 2) / sector * sector
        if middle <= first { middle = first / sector * sector + sector }
        return middle < end ? middle - source.start : nil
    }

    private func part(
        _ range: Range<UInt64>, of offset: UInt64, _ memory: UnsafeMutableRawBufferPointer
    ) -> UnsafeMutableRawBufferPointer {
        .init(rebasing: memory[Int(range.lowerBound - offset)..<Int(range.upperBound - offset)])
    }

    private func clear(_ range: Range<UInt64>, of offset: UInt64, in memory: UnsafeMutableRawBufferPointer) {
        if !range.isEmpty { _ = part(range, of: offset, memory).initializeMemory(as: UInt8.self, repeating: 0) }
    }

    /// The position of the first unreadable range that ends after the offset.
    private func place(of offset: UInt64) -> Int { unreadable.firstPosition { $0.upperBound > offset } }

    private func note(_ range: Range<UInt64>) {
        var (place, range) = (place(of: range.lowerBound), range)
        if place > 0, unreadable[place - 1].upperBound == range.lowerBound {
            place -= 1
            range = unreadable.remove(at: place).lowerBound..<range.upperBound
        }
        if place < unreadable.count, unreadable[place].lowerBound == range.upperBound {
            range = range.lowerBound..<unreadable.remove(at: place).upperBound
        }
        unreadable.insert(range, at: place)
    }
}

extension Source {
    /// Where the zeros begin with which a file ends; nil if its last byte is none.
    func zerosOffset(latch: FailureLatch) throws(Failure) -> UInt64? {
        guard let size, size > 0, try bytes(at: size - 1, count: 1) == [0] else { return nil }
        var end = size
        while end > 0 {
            try latch.check()
            let start = end - min(end, 1 << 18)
            guard let bytes = try bytes(at: start, count: Int(end - start)) else { return nil }
            if let last = bytes.lastIndex(where: { $0 != 0 }) { return start + UInt64(last) + 1 }
            end = start
        }
        return 0
    }
}
