import CKernel
import SluiceEngine

/// The members of an archive, a line each: as `tar -tv` prints them, or as JSON (docs/members.schema.json).
struct MemberTable {
    /// Bytes to print at a time.
    private static let mostBytes = 64 << 10
    /// The initial width of owner and size, as in GNU tar.
    private static let leastWidth = 19

    private let isJSON: Bool
    private var bytes: [UInt8] = []
    private var width = leastWidth
    /// The last rights, owner and time, which most members share.
    private var rights: (kind: ArchiveMember.Kind, mode: UInt32, text: [UInt8])?
    private var owner: (value: ArchiveMember.Owner, text: [UInt8])?
    private var time: (seconds: Int64, text: [UInt8]) = (.min, [])

    init(isJSON: Bool) { self.isJSON = isJSON }

    var isFull: Bool { bytes.count >= Self.mostBytes }

    /// Returns the lines so far, and removes them.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    mutating func append(_ member: ArchiveMember) {
        if isJSON {
            JSON.append(member, to: &bytes)
        } else {
            appendLine(member)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func appendLine(_ member: ArchiveMember) {
        if owner?.value != member.owner { owner = (member.owner, member.owner.text) }
        if time.seconds != member.modified.seconds {
            time = (member.modified.seconds, Self.text(of: member.modified.seconds))
        }
        if rights?.kind != member.kind || rights?.mode != member.mode {
            rights = (member.kind, member.mode, member.modeText)
        }
        bytes += rights?.text ?? []
        bytes.append(UInt8(ascii: " "))
        let start = bytes.count
        bytes += owner?.text ?? []
        bytes.append(UInt8(ascii: " "))
        // Up to the right border of all sizes so far; the width counts from the owner.
        let room = max(0, width - (bytes.count - start))
        if member.kind.isDevice {
            bytes += "\(member.device.major),\(member.device.minor)".padded(room).utf8
        } else {
            // A text for each size would take longer than the rest of its line.
            bytes.append(decimal: member.contentSize, width: room)
        }
        width = max(width, bytes.count - start)
        bytes.append(UInt8(ascii: " "))
        bytes += time.text
        bytes.append(UInt8(ascii: " "))
        bytes.append(escaping: member.path)
        if member.kind.isLink {
            bytes += (member.kind == .hardLink ? " link to " : " -> ").utf8
            bytes.append(escaping: member.link)
        }
        if member.kind == .volumeName { bytes += "--Volume Header--".utf8 }
        if member.kind.letter == UInt8(ascii: "?") {
            let quotes = sluice_character_width(0x2018) > 0 ? ("\u{2018}", "\u{2019}") : ("'", "'")
            bytes += " unknown file type \(quotes.0)".utf8
            bytes.append(escaping: [member.kind.rawValue])
            bytes += quotes.1.utf8
        }
    }

    /// Local time, such as `2026-01-02 03:04`; of a year that does not fit, the seconds.
    private static func text(of seconds: Int64) -> [UInt8] {
        Array((LocalTime(seconds).map { "\($0.day) \($0.hourAndMinute)" } ?? "\(seconds)").utf8)
    }
}

/// As docs/members.schema.json describes it.
extension ArchiveMember: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("bytes", size)
            json.entry("dataBytes", storedSize)
            json.entry("dataOffset", data)
            json.entry("gid", owner.group)
            json.entry("group", owner.groupName.isEmpty ? nil : String(decoding: owner.groupName, as: UTF8.self))
            json.entry("headerOffset", start)
            json.entry("link", kind.isLink ? link : nil, base64: "linkBase64")
            json.entry("major", kind.isDevice ? device.major : nil)
            json.entry("minor", kind.isDevice ? device.minor : nil)
            json.entry("mode", mode)
            json.entry("modified", modified.seconds)
            json.entry("modifiedNanoseconds", modified.nanoseconds)
            json.entry("name", path, base64: "nameBase64")
            json.entry("sparse", isSparse ? true : nil)
            json.entry("type", kind.name)
            json.entry("uid", owner.user)
            json.entry("user", owner.userName.isEmpty ? nil : String(decoding: owner.userName, as: UTF8.self))
        }
    }
}

extension ArchiveMember.Owner {
    /// Names, or numbers where there are none.
    fileprivate var text: [UInt8] {
        (userName.isEmpty ? Array("\(user)".utf8) : userName) + [UInt8(ascii: "/")]
            + (groupName.isEmpty ? Array("\(group)".utf8) : groupName)
    }
}

extension ArchiveMember {
    /// Such as `drwxr-xr-x`.
    fileprivate var modeText: [UInt8] {
        var text: [UInt8] = [kind.letter]
        for place in 0..<9 { text.append(mode >> UInt32(8 - place) & 1 == 0 ? UInt8(ascii: "-") : Self.rights[place]) }
        for (place, bit, letters) in [(3, UInt32(0o4000), "sS"), (6, 0o2000, "sS"), (9, 0o1000, "tT")]
        where mode & bit != 0 {
            text[place] = Array(letters.utf8)[text[place] == UInt8(ascii: "-") ? 1 : 0]
        }
        return text
    }

    private static let rights = Array("rwxrwxrwx".utf8)
}

extension ArchiveMember.Kind {
    /// As GNU tar shows it.
    fileprivate var letter: UInt8 {
        switch self {
        case .hardLink: UInt8(ascii: "h")
        case .symbolicLink: UInt8(ascii: "l")
        case .characterDevice: UInt8(ascii: "c")
        case .blockDevice: UInt8(ascii: "b")
        case .directory, Self(rawValue: UInt8(ascii: "D")): UInt8(ascii: "d")
        case .pipe: UInt8(ascii: "p")
        case .contiguousFile: UInt8(ascii: "C")
        case .file: UInt8(ascii: "-")
        case .volumeName, Self(rawValue: UInt8(ascii: "M")): rawValue
        default: UInt8(ascii: "?")
        }
    }

    fileprivate static let volumeName = Self(rawValue: UInt8(ascii: "V"))

    fileprivate var name: String {
        switch self {
        case .file, .contiguousFile: "file"
        case .hardLink: "hard link"
        case .symbolicLink: "symbolic link"
        case .characterDevice: "character device"
        case .blockDevice: "block device"
        case .directory: "directory"
        case .pipe: "FIFO"
        default: "other"
        }
    }
}

extension [UInt8] {
    private static let escapes: [UInt8: UInt8] = Dictionary(
        uniqueKeysWithValues: zip("\u{7}\u{8}\u{C}\n\r\t\u{B}\\".utf8, "abfnrtv\\".utf8))

    /// Whether all bytes are printable ASCII that needs no escape.
    private var isPlain: Bool {
        withUnsafeBytes { bytes in
            var position = 0
            // Eight bytes at a time: the highest bit of each is the answer.
            let (ones, bits) = (UInt64(0x0101_0101_0101_0101), UInt64(0x8080_8080_8080_8080))
            while position + 8 <= bytes.count {
                let next = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                let other = next ^ (ones &* UInt64(UInt8(ascii: "\\")))
                let (isVisible, isOther) = ((next | bits) &- ones &* 0x20, (other | bits) &- ones)
                if isVisible & isOther & ~next & ~(next &+ ones) & bits != bits { return false }
                position += 8
            }
            return bytes[position...].allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
        }
    }

    /// Appends a name as GNU tar quotes it, without characters that a terminal might obey.
    fileprivate mutating func append(escaping name: [UInt8]) {
        if name.isPlain {
            self += name
            return
        }
        var rest = name[...]
        while let first = rest.first {
            let count = rest.printableCount
            if let letter = Self.escapes[first] {
                self += [UInt8(ascii: "\\"), letter]
                rest = rest.dropFirst()
            } else if count > 0 {
                self += rest.prefix(count)
                rest = rest.dropFirst(count)
            } else {
                self += "\\\(String(first, radix: 8).padded(3, with: "0"))".utf8
                rest = rest.dropFirst()
            }
        }
    }
}

extension ArraySlice<UInt8> {
    /// Bytes of the first character, if the locale can show it; otherwise 0.
    fileprivate var printableCount: Int {
        var (parser, bytes) = (Unicode.UTF8.ForwardParser(), makeIterator())
        guard case .valid(let units) = parser.parseScalar(from: &bytes) else { return 0 }
        let scalar = Unicode.UTF8.decode(units)
        return sluice_character_width(scalar.value) >= 0 ? units.count : 0
    }
}
