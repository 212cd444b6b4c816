/// What a frame that comes in parts becomes, before it is written.
enum Pieces {
    /// Bytes of each.
    static let size = 1 << 20
    static let count = 4
    /// Bytes that those of a frame that is decoded take at most: what is not written, and a piece of which the checksum
    /// is made.
    static let decodedMemory = (count + 1) * size
}
