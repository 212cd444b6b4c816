package import ByteStreams

/// A member of a tar archive, as its header describes it, and where it lies in the archive.
public struct ArchiveMember: Equatable, Sendable {
    /// What a member is: the type flag of its header.
    public struct Kind: RawRepresentable, Equatable, Sendable {
        /// The type flag.
        public let rawValue: UInt8

        /// The kind with a type flag.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A regular file.
        public static let file = Kind(rawValue: UInt8(ascii: "0"))
        /// Another name of a member in front of it.
        public static let hardLink = Kind(rawValue: UInt8(ascii: "1"))
        /// A symbolic link.
        public static let symbolicLink = Kind(rawValue: UInt8(ascii: "2"))
        /// A character device.
        public static let characterDevice = Kind(rawValue: UInt8(ascii: "3"))
        /// A block device.
        public static let blockDevice = Kind(rawValue: UInt8(ascii: "4"))
        /// A directory.
        public static let directory = Kind(rawValue: UInt8(ascii: "5"))
        /// A FIFO.
        public static let pipe = Kind(rawValue: UInt8(ascii: "6"))
        /// A file, as any other today.
        public static let contiguousFile = Kind(rawValue: UInt8(ascii: "7"))

        /// Whether it points to something.
        public var isLink: Bool { self == .hardLink || self == .symbolicLink }
        /// Whether it has device numbers.
        public var isDevice: Bool { self == .characterDevice || self == .blockDevice }
        /// Whether it has content.
        public var isFile: Bool { self == .file || self == .contiguousFile }
        /// Whether it says something of the member behind it: access control lists of Solaris (`A`), the name of a
        /// volume (`V`), or that a file goes on which another volume has the beginning of (`M`).
        package var isAboutNext: Bool { "AVM".utf8.contains(rawValue) }
    }

    /// Who owned the file.
    public struct Owner: Equatable, Sendable {
        /// The number of the user.
        public internal(set) var user: Int64 = 0
        /// The number of the group.
        public internal(set) var group: Int64 = 0
        /// The name of the user; empty if the header has none.
        public internal(set) var userName: [UInt8] = []
        /// The name of the group; empty if the header has none.
        public internal(set) var groupName: [UInt8] = []
    }

    /// A point in time.
    public struct Time: Equatable, Sendable {
        /// Seconds since 1970.
        public internal(set) var seconds: Int64 = 0
        /// Nanoseconds after that.
        public internal(set) var nanoseconds: UInt32 = 0
    }

    /// The numbers of a device.
    public struct Device: Equatable, Sendable {
        /// The kind of device.
        public internal(set) var major: UInt32 = 0
        /// Which one of its kind.
        public internal(set) var minor: UInt32 = 0
    }

    /// Its name as it is stored, never to be used as a path on the disk.
    public internal(set) var path: [UInt8]
    /// What it is.
    public internal(set) var kind: Kind
    /// What a link points to.
    public internal(set) var link: [UInt8] = []
    /// Bytes of its content, with those of holes.
    package internal(set) var contentSize: UInt64 = 0
    /// Whether the file has holes, which its data leaves out; a map of them may precede the rest of the data.
    public internal(set) var isSparse = false
    /// Rights, as of a file.
    public internal(set) var mode: UInt32 = 0
    /// Who owned the file.
    public internal(set) var owner = Owner()
    /// When the content was modified.
    public internal(set) var modified = Time()
    /// The numbers of a device.
    public internal(set) var device = Device()

    /// The first byte of its headers in the archive.
    package internal(set) var start: UInt64 = 0
    /// The first byte of its data.
    package internal(set) var data: UInt64 = 0
    /// Bytes of its data.
    package internal(set) var storedSize: UInt64 = 0

    /// Bytes of a block, of which all of an archive consists.
    package static let blockSize: UInt64 = 512

    /// Bytes of its content, with those of holes.
    public var size: Int { Int(clamping: contentSize) }

    /// The bytes of the archive that are its data, which is its content unless it is sparse.
    public var dataRange: Range<Int> {
        let start = Int(clamping: data)
        return start..<start + min(Int(clamping: storedSize), .max - start)
    }

    /// The first byte after it.
    package var end: UInt64 { data + Self.padded(storedSize) }

    /// Bytes of the blocks that `count` bytes take; at most `Int64.max` of them.
    static func padded(_ count: UInt64) -> UInt64 { (count + blockSize - 1) / blockSize * blockSize }
}

extension ArchiveMember {
    /// The most bytes of the headers of one member.
    package static let mostHeaders: UInt64 = 16 << 20

    /// Compares it with the headers in the archive.
    ///
    /// - Parameter headers: the bytes from its start up to its data.
    /// - Returns: where it has data, if it is sparse.
    /// - Throws: `archive` if they are the headers of another member, or of none.
    @discardableResult package func prove(_ headers: [UInt8]) throws(Failure) -> SparseMap? {
        var (scanner, found) = (TarScanner(at: start), ArchiveMember?.none)
        try headers.span.bytes.withUnsafeBytes { headers throws(Failure) in
            var rest = headers
            found = try scanner.next(in: &rest)
        }
        guard found == self else { throw .damagedArchive("its index describes another member there", at: start) }
        return isSparse ? scanner.sparseMap : nil
    }
}
