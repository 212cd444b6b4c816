/// The header of a gzip member that contains the member's size: the blocks of BGZF, written by bgzip and samtools.
package enum BGZFHeader {
    /// The size of the header in bytes (SAM specification, 4.1).
    package static let headerSize = 18
    /// The most bytes of a member's content, according to the format. Larger members are decoded all the same.
    package static let contentSize = 1 << 16

    /// The fixed bytes of a member with one extra field of six bytes: `BC`, its size 2, and the member's size.
    private static let fixed: [(position: Int, byte: UInt8)] = [
        (0, 0x1F), (1, 0x8B), (2, 8), (3, 4), (10, 6), (11, 0), (12, 0x42), (13, 0x43), (14, 2), (15, 0),
    ]

    /// Whether these bytes may be the start of such a header.
    package static func begins(with bytes: [UInt8]) -> Bool {
        fixed.allSatisfy { $0.position >= bytes.count || bytes[$0.position] == $0.byte }
    }

    /// The size of the member with this header in bytes; nil if the header does not contain it.
    package static func size(_ header: [UInt8]) -> Int? {
        guard header.count >= headerSize, begins(with: header) else { return nil }
        let size = Int(header[16]) + Int(header[17]) << 8 + 1
        return size > headerSize ? size : nil
    }
}
