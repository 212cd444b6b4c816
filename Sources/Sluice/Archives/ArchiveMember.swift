/// A member of a tar archive, as its header describes it, and where it lies in the archive.
package struct ArchiveMember: Equatable, Sendable {
    /// What a member is: the type flag of its header.
    package struct Kind: RawRepresentable, Equatable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let file = Kind(rawValue: UInt8(ascii: "0"))
        package static let hardLink = Kind(rawValue: UInt8(ascii: "1"))
        package static let symbolicLink = Kind(rawValue: UInt8(ascii: "2"))
        package static let characterDevice = Kind(rawValue: UInt8(ascii: "3"))
        package static let blockDevice = Kind(rawValue: UInt8(ascii: "4"))
        package static let directory = Kind(rawValue: UInt8(ascii: "5"))
        package static let pipe = Kind(rawValue: UInt8(ascii: "6"))
        package static let contiguousFile = Kind(rawValue: UInt8(ascii: "7"))

        package var isLink: Bool { self == .hardLink || self == .symbolicLink }
        package var isDevice: Bool { self == .characterDevice || self == .blockDevice }
        package var isFile: Bool { self == .file || self == .contiguousFile }
    }

    package struct Owner: Equatable, Sendable {
        package var user: Int64 = 0
        package var group: Int64 = 0
        /// Empty if the header has none.
        package var userName: [UInt8] = []
        package var groupName: [UInt8] = []
    }

    package struct Time: Equatable, Sendable {
        /// Since 1970.
        package var seconds: Int64 = 0
        package var nanoseconds: UInt32 = 0
    }

    package struct Device: Equatable, Sendable {
        package var major: UInt32 = 0
        package var minor: UInt32 = 0
    }

    /// As it is stored, never as a path on the disk.
    package var path: [UInt8]
    package var kind: Kind
    /// What a link points to.
    package var link: [UInt8] = []
    /// Bytes of its content, with those of holes.
    package var size: UInt64 = 0
    /// Whether the data is a map of holes, or lacks them.
    package var isSparse = false
    package var mode: UInt32 = 0
    package var owner = Owner()
    package var modified = Time()
    package var device = Device()

    /// The first byte of its headers in the archive.
    package var start: UInt64 = 0
    /// The first byte of its data.
    package var data: UInt64 = 0
    /// Bytes of its data.
    package var storedSize: UInt64 = 0

    /// Bytes of a block, of which all of an archive consists.
    static let blockSize: UInt64 = 512

    /// The first byte behind it.
    package var end: UInt64 { data + Self.padded(storedSize) }

    /// Bytes of the blocks that `count` bytes take; at most `Int64.max` of them.
    static func padded(_ count: UInt64) -> UInt64 { (count + blockSize - 1) / blockSize * blockSize }
}
