internal import ByteStreams

/// The information about a member in the headers that precede its own: pax headers, and GNU's long names.
struct TarExtensions {
    private var longPath: [UInt8]?
    private var longLink: [UInt8]?
    /// The content of the last pax header before the member: earlier ones don't count.
    private var pax = Pax()
    /// Whether they describe a member; global headers do not.
    private(set) var areOfMember = false

    private struct Pax {
        var path: [UInt8]?
        var link: [UInt8]?
        var size: UInt64?
        var user: Int64?
        var group: Int64?
        var userName: [UInt8]?
        var groupName: [UInt8]?
        var modified: ArchiveMember.Time?
        var sparseMap: SparseMap?
        var sparseName: [UInt8]?
        var realSize: UInt64?
    }

    var size: UInt64? { pax.size }
    /// The extents of data in a sparse file.
    var sparseMap: SparseMap? { pax.sparseMap }

    /// Begins another header before the member.
    mutating func begin(_ flag: UInt8) {
        if flag == UInt8(ascii: "x") || flag == UInt8(ascii: "X") { pax = Pax() }
    }

    /// Parses the content of a header before a member.
    ///
    /// - Parameter flag: the type of that header.
    /// - Returns: what is wrong with it; nil if it is valid.
    mutating func take(_ content: [UInt8], of flag: UInt8) -> String? {
        let isGlobal = flag == UInt8(ascii: "g")
        areOfMember = areOfMember || !isGlobal
        let text = content.prefix { $0 != 0 }
        switch flag {
        case UInt8(ascii: "L"): longPath = Array(text)
        case UInt8(ascii: "K"): longLink = Array(text)
        default: return takeRecords(content[...], isGlobal: isGlobal)
        }
        return nil
    }

    /// Applies the extensions to a member.
    func apply(to member: inout ArchiveMember) {
        member.path = pax.sparseName ?? pax.path ?? longPath ?? member.path
        if member.kind.isLink { member.link = pax.link ?? longLink ?? member.link }
        member.owner.user = pax.user ?? member.owner.user
        member.owner.group = pax.group ?? member.owner.group
        member.owner.userName = pax.userName ?? member.owner.userName
        member.owner.groupName = pax.groupName ?? member.owner.groupName
        member.modified = pax.modified ?? member.modified
        if pax.sparseMap != nil, member.kind.isFile {
            member.isSparse = true
            member.contentSize = pax.realSize ?? member.contentSize
        }
    }

    /// Parses records such as `30 mtime=1767323045.123456789`, one per line (POSIX 1003.1, pax, "pax Header Block").
    private mutating func takeRecords(_ content: ArraySlice<UInt8>, isGlobal: Bool) -> String? {
        var rest = content
        while let first = rest.first {
            // GNU tar accepts zeros after the records.
            if first == 0 { break }
            guard let space = rest.prefix(20).firstIndex(of: UInt8(ascii: " ")),
                let length = rest[..<space].decimal, length <= UInt64(rest.count), length > 0
            else { return "an extended header has no length" }
            let end = rest.startIndex + Int(length)
            guard end > space + 1, rest[end - 1] == UInt8(ascii: "\n"),
                let equals = rest[space..<end].firstIndex(of: UInt8(ascii: "="))
            else { return "an extended header has no value" }
            let name = String(decoding: rest[(space + 1)..<equals], as: UTF8.self)
            guard take(name, rest[(equals + 1)..<(end - 1)], isGlobal) else {
                return isGlobal
                    ? "a global header changes the members after it (\(name.printable))"
                    : "\(name.printable) in an extended header has an invalid value"
            }
            rest = rest[end...]
        }
        return nil
    }

    /// Parses one record. Global records may only be comments: without them, a single member would mean something else.
    private mutating func take(_ name: String, _ value: ArraySlice<UInt8>, _ isGlobal: Bool) -> Bool {
        if !Self.names.contains(name), !name.hasPrefix("GNU.sparse.") { return true }
        if isGlobal { return false }
        // An empty value would revoke what a global header says, but global headers say nothing.
        if value.isEmpty { return true }
        if name.hasPrefix("GNU.sparse.") {
            pax.sparseMap = pax.sparseMap ?? SparseMap()
            if pax.sparseMap?.take(name, value) == false { return false }
        }
        if value.contains(0) { return false }
        switch name {
        case "path": pax.path = Array(value)
        case "linkpath": pax.link = Array(value)
        case "uname": pax.userName = Array(value)
        case "gname": pax.groupName = Array(value)
        case "size": return Self.set(&pax.size, to: value.decimal)
        case "uid": return Self.set(&pax.user, to: signed(value))
        case "gid": return Self.set(&pax.group, to: signed(value))
        case "mtime": return Self.set(&pax.modified, to: time(value))
        case "GNU.sparse.name": pax.sparseName = Array(value)
        case "GNU.sparse.size", "GNU.sparse.realsize": return Self.set(&pax.realSize, to: value.decimal)
        default: break
        }
        return true
    }

    /// Sets a field; returns false if the value is invalid.
    private static func set<Value>(_ field: inout Value?, to value: Value?) -> Bool {
        field = value
        return value != nil
    }

    private static let names: Set = ["path", "linkpath", "size", "uid", "gid", "uname", "gname", "mtime"]

    private func signed(_ digits: ArraySlice<UInt8>) -> Int64? {
        let isNegative = digits.first == UInt8(ascii: "-")
        return (isNegative ? digits.dropFirst() : digits).decimal.map { isNegative ? -Int64($0) : Int64($0) }
    }

    /// Seconds with a fraction, of which nine digits are used; rounded down.
    private func time(_ value: ArraySlice<UInt8>) -> ArchiveMember.Time? {
        let sides = value.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard var seconds = signed(sides[0]) else { return nil }
        var nanoseconds: UInt64 = 0
        if sides.count == 2, !sides[1].isEmpty {
            guard let fraction = sides[1].prefix(9).decimal else { return nil }
            nanoseconds = (sides[1].count..<max(9, sides[1].count)).reduce(fraction) { value, _ in value * 10 }
        }
        if value.first == UInt8(ascii: "-"), nanoseconds > 0 {
            (seconds, nanoseconds) = (seconds - 1, 1_000_000_000 - nanoseconds)
        }
        return ArchiveMember.Time(seconds: seconds, nanoseconds: UInt32(nanoseconds))
    }
}
