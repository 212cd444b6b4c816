package import ByteStreams

/// A member of a tar archive, as described by its header, and its position in the archive.
///
///     let backup = try await CompressedFile.open(at: "backup.tar.zst")
///     for try await member in backup.members where member.path == Array("etc/fstab".utf8) {
///         print(String(decoding: try backup.read(member), as: UTF8.self))
///     }
public struct ArchiveMember: Equatable, Sendable {
    /// What a member is: the type flag of its header.
    ///
    ///     for try await member in file.members where member.kind == .directory {
    ///         print(String(decoding: member.path, as: UTF8.self))
    ///     }
    public struct Kind: RawRepresentable, Equatable, Sendable {
        /// The type flag.
        public let rawValue: UInt8

        /// The kind with a type flag.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A regular file.
        public static let file = Kind(rawValue: UInt8(ascii: "0"))
        /// Another name of an earlier member.
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
        /// Treated like a regular file today.
        public static let contiguousFile = Kind(rawValue: UInt8(ascii: "7"))

        /// Whether it points to something.
        public var isLink: Bool { self == .hardLink || self == .symbolicLink }
        /// Whether it has device numbers.
        public var isDevice: Bool { self == .characterDevice || self == .blockDevice }
        /// Whether it has content.
        public var isFile: Bool { self == .file || self == .contiguousFile }
        /// Whether it describes the next member: access control lists of Solaris (`A`), the name of a volume (`V`), or
        /// the continuation of a file that begins on another volume (`M`).
        package var isAboutNext: Bool { "AVM".utf8.contains(rawValue) }
    }

    /// The owner of the file.
    ///
    ///     for try await member in file.members where member.owner.user == 0 {
    ///         print(String(decoding: member.owner.userName, as: UTF8.self))
    ///     }
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
    ///
    ///     for try await member in file.members {
    ///         print("\(member.modified.seconds).\(member.modified.nanoseconds) s after the beginning of 1970")
    ///     }
    public struct Time: Equatable, Sendable {
        /// Seconds since 1970.
        public internal(set) var seconds: Int64 = 0
        /// Nanoseconds in addition to the seconds.
        public internal(set) var nanoseconds: UInt32 = 0
    }

    /// The numbers of a device.
    ///
    ///     for try await member in file.members where member.kind == .characterDevice {
    ///         print("mknod -m 600 null c \(member.device.major) \(member.device.minor)")
    ///     }
    public struct Device: Equatable, Sendable {
        /// The kind of device.
        public internal(set) var major: UInt32 = 0
        /// The number among devices of that kind.
        public internal(set) var minor: UInt32 = 0
    }

    /// Its name as stored, which must never be used as a path on disk.
    public internal(set) var path: [UInt8]
    /// What it is.
    public internal(set) var kind: Kind
    /// What a link points to.
    public internal(set) var link: [UInt8] = []
    /// The content size in bytes, including holes.
    package internal(set) var contentSize: UInt64 = 0
    /// Whether the file has holes, which its data omits. A map of the holes may precede the rest of the data.
    public internal(set) var isSparse = false
    /// The permissions, as of a file.
    public internal(set) var mode: UInt32 = 0
    /// The owner of the file.
    public internal(set) var owner = Owner()
    /// When the content was modified.
    public internal(set) var modified = Time()
    /// The numbers of a device.
    public internal(set) var device = Device()

    /// The first byte of its headers in the archive.
    package internal(set) var start: UInt64 = 0
    /// The first byte of its data.
    package internal(set) var data: UInt64 = 0
    /// The size of its data in bytes.
    package internal(set) var storedSize: UInt64 = 0

    /// The block size of tar archives in bytes.
    package static let blockSize: UInt64 = 512

    /// The content size in bytes, including holes.
    public var size: Int { Int(clamping: contentSize) }

    /// The range of the archive with its data, which is its content unless it is sparse.
    public var dataRange: Range<Int> {
        let start = Int(clamping: data)
        return start..<start + min(Int(clamping: storedSize), .max - start)
    }

    /// The first byte after it.
    package var end: UInt64 { data + Self.padded(storedSize) }

    /// The size of the blocks that `count` bytes occupy; `count` is at most `Int64.max`.
    static func padded(_ count: UInt64) -> UInt64 { (count + blockSize - 1) / blockSize * blockSize }
}

extension ArchiveMember {
    /// The largest size of the headers of one member in bytes.
    package static let mostHeaders: UInt64 = 16 << 20

    /// Compares it with the headers in the archive.
    ///
    /// - Parameter headers: the bytes from its start to its data.
    /// - Returns: the map of its data if it is sparse.
    /// - Throws: `archive` if these are the headers of another member, or are not headers.
    @discardableResult package func prove(_ headers: [UInt8]) throws(Failure) -> SparseMap? {
        var scanner = TarScanner(at: start)
        var rest = headers.span.bytes
        guard try scanner.next(in: &rest) == self else {
            throw .damagedArchive("its index describes another member there", at: start)
        }
        return isSparse ? scanner.sparseMap : nil
    }
}
