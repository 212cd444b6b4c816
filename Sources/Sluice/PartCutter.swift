/// Hands all the content on as the parts of one frame.
struct PartCutter: ChunkCutter {
    /// Bytes of a part.
    static let partSize = 1 << 20

    let reader: ChunkReader
    let slots: Slots
    private let parts = WorkQueue<Result<Bytes, Failure>>()
    private var hasBegun = false

    init(_ reader: ChunkReader, slots: Slots) {
        self.reader = reader
        self.slots = slots
    }

    mutating func next() throws(Failure) -> Chunk.Content? {
        if !hasBegun {
            hasBegun = true
            return .parts(parts, offset: 0)
        }
        do throws(Failure) {
            while let part = try reader.read(Self.partSize) {
                guard slots.take() else { throw .cancelled }
                parts.push(.success(part))
            }
            parts.close()
        } catch {
            parts.push(.failure(error))
        }
        return nil
    }

    func cancel() {
        parts.push(.failure(.cancelled))
        parts.close()
    }
}
