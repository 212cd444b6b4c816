internal import Dispatch

/// Hands all the input on as the parts of one chunk.
struct PartCutter: ChunkCutter {
    /// Bytes of a part.
    static let partSize = 1 << 20

    let reader: ChunkReader
    let slots: Slots
    /// What was read before, about a part at most, and where it begins in the input.
    private let first: Bytes
    private let offset: UInt64
    /// How long to wait for a full part when some of it has come.
    private let patience: DispatchTimeInterval
    private let parts = WorkQueue<Result<Bytes, Failure>>()
    private var hasBegun = false

    init(
        _ reader: ChunkReader, slots: Slots, first: Bytes = Bytes(), at offset: UInt64 = 0,
        patience: DispatchTimeInterval = .never
    ) {
        self.reader = reader
        self.slots = slots
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
            if !first.isEmpty { try push(first) }
            while let part = try reader.read(Self.partSize, within: patience) { try push(part) }
            parts.close()
        } catch {
            parts.push(.failure(error))
        }
        return nil
    }

    private func push(_ part: Bytes) throws(Failure) {
        guard slots.take() else { throw .cancelled }
        parts.push(.success(part))
    }

    func cancel() {
        parts.push(.failure(.cancelled))
        parts.close()
    }
}
