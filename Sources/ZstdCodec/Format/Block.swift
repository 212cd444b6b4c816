/// The header of a block (RFC 8878, 3.1.1.2): a bit for the last block, two for the type, 21 for the size.
struct Block {
    static let headerSize = 3

    let isLast: Bool
    /// Bytes that follow the header.
    let bodySize: Int
    /// The most that it decompresses to, in bytes.
    let bound: Int
    /// What is wrong with it.
    let flaw: String?

    /// - Parameters:
    ///   - header: the three bytes, as a little-endian number.
    ///   - limit: the most that a block of its frame decompresses to, in bytes.
    init(header: Int, limit: Int) {
        let size = header >> 3
        isLast = header & 1 == 1
        let type = header >> 1 & 0b11
        // Raw, one byte that is repeated, or compressed.
        bodySize = type == 1 ? 1 : size
        bound = type == 2 ? limit : size
        flaw =
            if size > FrameFormat.maximumBlockSize {
                "a block is larger than 128 KiB"
            } else if type == 3 {
                "a block of a reserved type"
            } else if type == 2, size == 0 {
                // libzstd takes it for an empty block when streaming, and refuses it when it has the whole frame.
                "a compressed block of no bytes"
            } else {
                nil
            }
    }

    /// Bytes by which it is longer than what it can decompress to.
    var overhead: Int { max(0, Self.headerSize + bodySize - bound) }
}
