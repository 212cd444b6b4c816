/// What a frame that comes in parts becomes, before it is written.
enum Pieces {
    /// Bytes of each.
    static let size = 1 << 20
    static let count = 4
}
