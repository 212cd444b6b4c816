/// Where a sparse file has data: what lies between are holes.
///
/// GNU tar writes it in the header (old), in a header of pax (0.0 and 0.1), or in front of the data (1.0).
struct SparseMap: Equatable, Sendable {
    struct Extent: Equatable, Sendable {
        /// The first byte in the file.
        var offset: UInt64
        var count: UInt64

        var end: UInt64 { offset + count }
    }

    /// The most extents of a file.
    private static let most = 1 << 20

    private(set) var extents: [Extent] = []
    /// Whether the map is in front of the data.
    private(set) var isInData = false
    /// An offset without its count.
    private var offset: UInt64?

    /// Takes entries of the old form, from a header or a block behind it.
    ///
    /// - Parameters:
    ///   - start: the first byte of the first entry.
    ///   - count: how many there may be.
    mutating func take(block: UnsafeRawBufferPointer, at start: Int, count: Int) -> Bool {
        for place in stride(from: start, to: start + count * 24, by: 24) {
            // Entries that are not used are empty.
            if block[place + 12] == 0 { return true }
            guard let offset = TarHeader.size(in: block, place..<place + 12),
                let size = TarHeader.size(in: block, place + 12..<place + 24)
            else { return false }
            if !add(offset) || !add(size) { return false }
        }
        return true
    }

    /// Takes a record of pax, `GNU.sparse.` and a name.
    mutating func take(_ name: String, _ value: ArraySlice<UInt8>) -> Bool {
        switch name {
        case "GNU.sparse.offset", "GNU.sparse.numbytes":
            guard (name == "GNU.sparse.offset") == (offset == nil), let number = decimal(value) else { return false }
            return add(number)
        case "GNU.sparse.map":
            for word in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                guard let number = decimal(word), add(number) else { return false }
            }
            return offset == nil
        case "GNU.sparse.major": isInData = value.elementsEqual("1".utf8)
        default: break
        }
        return true
    }

    /// Takes the map in front of the data: a decimal number a line, the first of which says how many extents follow.
    ///
    /// - Returns: bytes of the map, with what fills its last block; nil if more of it has to come.
    /// - Throws: `archive`.
    mutating func take(data: [UInt8], at place: UInt64) throws(Failure) -> Int? {
        var (numbers, start) = ([UInt64](), 0)
        while let line = data[start...].firstIndex(of: UInt8(ascii: "\n")) {
            guard let number = decimal(data[start..<line]), numbers.first ?? 0 <= Self.most else { break }
            numbers.append(number)
            start = line + 1
            guard let count = numbers.first, numbers.count == 1 + 2 * Int(count) else { continue }
            let size = Int(ArchiveMember.padded(UInt64(start)))
            if size > data.count { return nil }
            for number in numbers.dropFirst() where !add(number) { throw Self.damage(at: place) }
            return size
        }
        let isPossible = numbers.first ?? 0 <= Self.most && data[start...].count <= 20
        if isPossible, data[start...].allSatisfy({ (48...57).contains($0) }) { return nil }
        throw Self.damage(at: place)
    }

    /// - Parameters:
    ///   - size: bytes of the file.
    ///   - stored: bytes of the data, without the map.
    /// - Throws: `archive` if the extents are not those of such a file.
    func check(size: UInt64, stored: UInt64, at place: UInt64) throws(Failure) {
        var (last, sum): (UInt64, UInt64) = (0, 0)
        for extent in extents {
            guard extent.offset >= last, extent.count <= size, extent.offset <= size - extent.count else {
                throw Self.damage(at: place)
            }
            (last, sum) = (extent.end, sum + extent.count)
        }
        guard offset == nil, sum == stored else { throw Self.damage(at: place) }
    }

    private static func damage(at place: UInt64) -> Failure {
        .damagedArchive("the map of a sparse file makes no sense", at: place)
    }

    private mutating func add(_ number: UInt64) -> Bool {
        if let first = offset {
            extents.append(Extent(offset: first, count: number))
            offset = nil
        } else {
            offset = number
        }
        return extents.count <= Self.most && number < 1 << 62
    }

    private func decimal(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard (1...18).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + UInt64($1 - 48) }
    }
}
