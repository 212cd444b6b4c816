package import ByteStreams
internal import ZstdCodec

/// The extents of data in a sparse file; between them are holes.
///
/// GNU tar stores it in the header (old format), in a pax header (0.0 and 0.1), or before the data (1.0).
package struct SparseMap: Equatable, Sendable {
    /// The most extents of a file, and the most digits of a number.
    private static let (most, mostDigits) = (1 << 20, 18)

    /// The ranges of the file that contain data.
    package private(set) var extents: [Range<UInt64>] = []
    /// Whether the map is stored before the data.
    package private(set) var isInData = false
    /// An offset whose size has not come yet.
    private var offset: UInt64?
    /// The number of lines still to come; nil before the first line, which contains the number of extents.
    private var left: Int?
    /// The digits of the current line.
    private var line: [UInt8] = []
    /// The number of bytes of the map before the data that have come.
    package private(set) var size: UInt64 = 0

    /// Adds entries of the old format, from a header or a block after it.
    ///
    /// - Parameters:
    ///   - start: the offset of the first entry.
    ///   - count: the most entries.
    mutating func take(block: UnsafeRawBufferPointer, at start: Int, count: Int) -> Bool {
        for place in stride(from: start, to: start + count * 24, by: 24) {
            // Unused entries are empty.
            if block[place + 12] == 0 { return true }
            guard let offset = TarHeader.size(in: block, place..<place + 12),
                let size = TarHeader.size(in: block, place + 12..<place + 24)
            else { return false }
            if !add(offset) || !add(size) { return false }
        }
        return true
    }

    /// Adds a pax record named `GNU.sparse.` plus a word.
    mutating func take(_ name: String, _ value: ArraySlice<UInt8>) -> Bool {
        switch name {
        case "GNU.sparse.offset", "GNU.sparse.numbytes":
            guard (name == "GNU.sparse.offset") == (offset == nil), let number = value.decimal else { return false }
            return add(number)
        case "GNU.sparse.map":
            for word in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                guard let number = word.decimal, add(number) else { return false }
            }
            return offset == nil
        case "GNU.sparse.major": isInData = value.elementsEqual("1".utf8)
        default: break
        }
        return true
    }

    /// Parses more of the map before the data: one decimal number per line, of which the first is the number of
    /// extents.
    ///
    /// - Parameter data: the next bytes.
    /// - Returns: how many of them belong to the map, including the padding of its last block.
    /// - Throws: `archive`.
    package mutating func take(data: RawSpan, at place: UInt64) throws(Failure) -> Int {
        var position = 0
        while position < data.byteCount, left != 0 {
            guard take(data[position]) else { throw Self.damage(at: place) }
            position += 1
        }
        size += UInt64(position)
        guard left == 0 else { return position }
        let filling = min(ArchiveMember.padded(size) - size, UInt64(data.byteCount - position))
        size += filling
        return position + Int(filling)
    }

    /// Whether the map before the data is complete, including the padding of its last block.
    package var isWhole: Bool { left == 0 && size % ArchiveMember.blockSize == 0 }

    /// Parses a byte of a line.
    private mutating func take(_ byte: UInt8) -> Bool {
        if byte != UInt8(ascii: "\n") {
            line.append(byte)
            return (48...57).contains(byte) && line.count <= Self.mostDigits
        }
        guard let number = line[...].decimal else { return false }
        line.removeAll(keepingCapacity: true)
        if let left {
            self.left = left - 1
            return add(number)
        }
        left = number <= Self.most ? 2 * Int(number) : nil
        return left != nil
    }

    /// - Parameters:
    ///   - size: the content size in bytes.
    ///   - stored: the size of the data without the map in bytes.
    /// - Throws: `archive` if the extents are not those of such a file.
    package func check(size: UInt64, stored: UInt64, at place: UInt64) throws(Failure) {
        var (last, sum): (UInt64, UInt64) = (0, 0)
        for extent in extents {
            guard extent.lowerBound >= last, extent.upperBound <= size,
                // GNU tar looks for each extent at the start of a block, others right after the previous extent: reject
                // files for which this makes a difference.
                extent.isEmpty || sum % ArchiveMember.blockSize == 0
            else { throw Self.damage(at: place) }
            (last, sum) = (extent.upperBound, sum + UInt64(extent.count))
        }
        guard offset == nil, sum == stored else { throw Self.damage(at: place) }
    }

    private static func damage(at place: UInt64) -> Failure {
        .damagedArchive("the map of a sparse file is invalid", at: place)
    }

    private mutating func add(_ number: UInt64) -> Bool {
        guard number < 1 << 62 else { return false }
        if let first = offset {
            extents.append(first..<first + number)
            offset = nil
        } else {
            offset = number
        }
        return extents.count <= Self.most
    }
}

extension ArraySlice<UInt8> {
    /// The decimal number of at most 18 digits in these bytes; nil if they are not one.
    var decimal: UInt64? {
        guard (1...18).contains(count), allSatisfy({ (48...57).contains($0) }) else { return nil }
        return reduce(0) { $0 * 10 + UInt64($1 - 48) }
    }
}

/// Reconstructs the content of a sparse file from its data.
package struct SparseContent {
    /// The largest size of all holes in bytes: each shared region takes some memory.
    private static let mostHoles: UInt64 = 256 << 30

    private let member: ArchiveMember
    private var map: SparseMap
    /// The offset of the next byte in the content.
    private var position: UInt64 = 0
    /// The extent of the next byte of data.
    private var extent = 0

    /// - Throws: `archive` if the map is invalid, or has too many bytes in holes.
    package init(_ member: ArchiveMember, _ map: SparseMap) throws(Failure) {
        (self.member, self.map) = (member, map)
        if !needsMap { try check(stored: member.storedSize) }
    }

    /// Whether more of the map before the data has to come.
    private var needsMap: Bool { map.isInData && !map.isWhole }

    private func check(stored: UInt64) throws(Failure) {
        try map.check(size: member.contentSize, stored: stored, at: member.start)
        guard member.contentSize - stored <= Self.mostHoles else {
            throw .archive("\(member.path.printable) has too many holes: only --as-tar writes it")
        }
    }

    /// The content up to the end of these bytes of data, including holes.
    package mutating func take(_ data: Bytes) throws(Failure) -> Bytes {
        var (rest, content) = (data, [Bytes]())
        if needsMap { try takeMap(&rest) }
        while !rest.isEmpty, extent < map.extents.count {
            let next = map.extents[extent]
            let start = max(position, next.lowerBound)
            content.append(.zeros(Int(clamping: start - position)))
            let part = rest.removeFirst(Int(clamping: next.upperBound - start))
            content.append(part)
            position = start + UInt64(part.count)
            if position == next.upperBound { extent += 1 }
        }
        return Bytes(joining: content)
    }

    /// Parses bytes of the map, which may come in very many pieces, without looking at any byte twice.
    private mutating func takeMap(_ data: inout Bytes) throws(Failure) {
        var taken = 0
        try data.forEachRegion { region throws(Failure) in
            taken += try map.isWhole ? 0 : map.take(data: region, at: member.data)
        }
        _ = data.removeFirst(taken)
        if !needsMap { try check(stored: member.storedSize - map.size) }
    }

    /// The hole at the end, after all data.
    ///
    /// - Throws: `archive` if the map is incomplete.
    package mutating func finish() throws(Failure) -> Bytes {
        if needsMap { throw .damagedArchive("the map of a sparse file is truncated", at: member.data) }
        return .zeros(Int(clamping: member.contentSize - position))
    }
}
