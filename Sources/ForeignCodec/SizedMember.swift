/// The header of a member of gzip that says the member's size: the blocks of BGZF, as bgzip and samtools write them.
package enum SizedMember {
    /// Bytes of the header (SAM specification, 4.1).
    package static let headerSize = 18
    /// The most bytes of a member's content, which its writers keep to. A member that has more is decoded all the same.
    package static let contentSize = 1 << 16

    /// A member with one extra field, of six bytes: `BC`, its size 2, and the member's size.
    private static let fixed: [(position: Int, byte: UInt8)] = [
        (0, 0x1F), (1, 0x8B), (2, 8), (3, 4), (10, 6), (11, 0), (12, 0x42), (13, 0x43), (14, 2), (15, 0),
    ]

    /// Whether these bytes may begin such a header.
    package static func begins(with bytes: [UInt8]) -> Bool {
        fixed.allSatisfy { $0.position >= bytes.count || bytes[$0.position] == $0.byte }
    }

    /// The bytes of the member with this header; nil if it does not say them.
    package static func size(_ header: [UInt8]) -> Int? {
        guard header.count >= headerSize, begins(with: header) else { return nil }
        let size = Int(header[16]) + Int(header[17]) << 8 + 1
        return size > headerSize ? size : nil
    }
}
