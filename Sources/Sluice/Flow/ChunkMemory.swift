/// The bytes of a whole chunk, as a transform takes them.
enum ChunkMemory {
    /// To be kept or let go at will.
    case bytes(Bytes)
    /// In memory that is somebody else's, for as long as the call.
    case region(UnsafeRawBufferPointer)
    /// So many zeros, which nobody has read.
    case zeros(Int)

    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .region(let region): region.count
        case .zeros(let count): count
        }
    }
}
