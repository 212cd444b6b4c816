/// What became of a chunk, or of a part of it: bytes for the output.
struct Frame: Sendable {
    let bytes: Bytes
    /// Bytes of the input that it was made from.
    let sourceSize: Int
    /// The last bytes of a compressed frame that ends in a checksum, else 0.
    var checksum: UInt32 = 0
    /// What bounds the memory of this frame, and gets slots back when it is free again.
    let slots: Slots
    /// How many.
    var slotCount = 1
    /// Whether it is a piece of a frame that comes in parts, and not the last one.
    var isPiece = false
}
