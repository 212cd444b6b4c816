internal import ByteStreams
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Compares the content of a run with a file, several frames at once, beside the workers.
///
/// The frames come in their order, for only then is it known where the content of each begins. Which of them differs
/// first is settled when all before it have been compared.
final class ContentComparison: Sendable {
    private struct State {
        /// Bytes of the content that came.
        var position: UInt64 = 0
        /// Where what is being compared begins.
        var underWay: Set<UInt64> = []
        /// The first failure in the order of the content, so far, and where it is.
        var first: (offset: UInt64, failure: Failure)?

        /// What ends the run: nothing before it is compared any more.
        var settled: Failure? {
            guard let first, underWay.allSatisfy({ $0 >= first.offset }) else { return nil }
            return first.failure
        }
    }

    /// What is read of the file at once, in bytes: it stays in a processor's cache.
    static let pieceSize = 256 << 10

    private let reference: ReferenceFile
    private let latch: FailureLatch
    private let queue = DispatchQueue(label: "sluice.comparison", attributes: .concurrent)
    private let state = Mutex(State())

    init(with reference: ReferenceFile, latch: FailureLatch) {
        self.reference = reference
        self.latch = latch
    }

    /// Takes what comes next of the content.
    ///
    /// - Parameter whenFree: runs when it is compared, and its memory is free.
    func take(_ bytes: Bytes, whenFree: @escaping @Sendable () -> Void) {
        let offset = state.withLock { state in
            defer { state.position += UInt64(bytes.count) }
            if !bytes.isEmpty { state.underWay.insert(state.position) }
            return state.position
        }
        let parcel = ChunkBytes(bytes)
        queue.async { [self] in
            compare(parcel, from: offset)
            OutputBuffer.afterReleases(whenFree)
        }
    }

    /// States that the content ends here, when everything is compared.
    ///
    /// - Throws: `contentEnds` if the file goes on.
    func finish() throws(Failure) {
        let end = state.withLock { $0.position }
        let hasMore = try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
            Result { () throws(Failure) in try reference.read(into: byte, at: end) > 0 }
        }.get()
        if hasMore { throw .contentEnds(before: reference.path, at: end) }
    }

    private func compare(_ parcel: ChunkBytes, from start: UInt64) {
        var found: (offset: UInt64, failure: Failure)?
        var offset = start
        do throws(Failure) {
            var buffer = GatherBuffer()
            if case .bytes(let bytes) = try parcel.take(with: &buffer), isNeeded(start) {
                let memory = try buffer.room(for: Self.pieceSize)
                try bytes.forEachRegion { region throws(Failure) in try compare(region, from: &offset, memory) }
            }
        } catch {
            found = (offset, error)
        }
        let failure = state.withLock { state in
            state.underWay.remove(start)
            if let found, found.offset < state.first?.offset ?? .max { state.first = found }
            return state.settled
        }
        if let failure { latch.fail(failure) }
    }

    /// Whether there is no difference before it yet.
    private func isNeeded(_ offset: UInt64) -> Bool { offset < state.withLock { $0.first?.offset ?? .max } }

    /// - Parameter offset: where the region begins in the content; on return where it ends, or where it differs.
    private func compare(
        _ region: UnsafeRawBufferPointer, from offset: inout UInt64, _ memory: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        var rest = region
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(memory.count))
            let count = try reference.read(
                into: UnsafeMutableRawBufferPointer(rebasing: memory[..<piece.count]), at: offset)
            let wanted = UnsafeRawBufferPointer(rebasing: memory[..<count])
            if let difference = wanted.firstDifference(from: piece) {
                offset += UInt64(difference)
                throw .contentDiffers(from: reference.path, at: offset)
            }
            offset += UInt64(count)
            if count < piece.count { throw .contentContinues(after: reference.path, at: offset) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Where the first byte is that differs from that of another region, which has no fewer; nil if none does.
    func firstDifference(from other: UnsafeRawBufferPointer) -> Int? {
        guard let start = baseAddress, let otherStart = other.baseAddress, memcmp(start, otherStart, count) != 0 else {
            return nil
        }
        return indices.first { self[$0] != other[$0] }
    }
}
