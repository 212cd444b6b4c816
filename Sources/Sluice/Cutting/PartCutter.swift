internal import Dispatch

/// Hands all the input on as the parts of one chunk.
struct PartCutter: ChunkCutter {
    /// Bytes asked of the reader at once.
    static let partSize = 1 << 20

    private let reader: ChunkReader
    /// What was read before, about a part at most, and where it begins in the input.
    private let first: Bytes
    private let offset: UInt64
    /// How long to wait for a full part when some of it has come.
    private let patience: DispatchTimeInterval
    private let parts: PartQueue
    private var hasBegun = false

    init(
        _ reader: ChunkReader, slots: Slots, first: Bytes = Bytes(), at offset: UInt64 = 0,
        patience: DispatchTimeInterval = .never
    ) {
        self.reader = reader
        parts = PartQueue(slots)
        self.first = first
        self.offset = offset
        self.patience = patience
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        if !hasBegun {
            hasBegun = true
            return .parts(parts, offset: offset)
        }
        do throws(Failure) {
            if !first.isEmpty { try parts.push(first) }
            while let part = try reader.read(Self.partSize, within: patience) { try parts.push(part) }
            parts.close()
        } catch {
            parts.fail(error)
        }
        return nil
    }

    func cancel() { parts.fail(.cancelled) }
}
