internal import Dispatch
internal import Synchronization

/// Compares the content of a run with a file, several frames at once, beside the workers.
///
/// The frames arrive in order, so that it is known where each begins. The first difference is known when everything
/// before it has been compared.
final class ContentComparison: OutputObserver {
    private struct State {
        /// Bytes of the content that were taken, and in how many frames.
        var position: UInt64 = 0
        var frames = 0
        /// The offsets of the frames that are being compared.
        var underWay: Set<UInt64> = []
        /// The failure with the lowest offset so far.
        var first: (offset: UInt64, failure: Failure)?

        /// The first failure, when nothing before it is still being compared.
        var settled: Failure? {
            guard let first, underWay.allSatisfy({ $0 >= first.offset }) else { return nil }
            return first.failure
        }
    }

    /// Bytes of the file that are read at once: they stay in a processor's cache.
    static let readSize = 256 << 10

    private let reference: ComparedFile
    private let latch: FailureLatch
    /// Each compares one frame at a time. One concurrent queue would block Dispatch's reading and writing of pipes
    /// (docs/dispatch-on-linux.md, 5).
    private let queues: [DispatchQueue]
    private let state = Mutex(State())

    /// - Parameter threads: how many frames are compared at once.
    init(with reference: ComparedFile, threads: Int, latch: FailureLatch) {
        self.reference = reference
        self.latch = latch
        queues = (0..<threads).map { _ in DispatchQueue(label: "sluice.comparison") }
    }

    func take(_ bytes: Bytes, _ lease: Lease?) {
        let (offset, frame) = state.withLock { state in
            defer {
                state.position += UInt64(bytes.count)
                state.frames += 1
            }
            if !bytes.isEmpty { state.underWay.insert(state.position) }
            return (state.position, state.frames)
        }
        // The closure takes the bytes out of the box, so that their memory is free before the lease ends: the closure
        // itself is freed later.
        let bytes = Locked(Optional(bytes))
        queues[frame % queues.count].async { [self] in
            compare(bytes.withLock { $0.take() } ?? Bytes(), from: offset)
            withExtendedLifetime(lease) {}
        }
    }

    /// Ends the comparison, once everything is compared.
    ///
    /// - Throws: `contentEnds` if the file goes on.
    func finish() throws(Failure) {
        let end = state.withLock { $0.position }
        let hasMore = try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
            Result { () throws(Failure) in try reference.read(into: byte, at: end) > 0 }
        }.get()
        if hasMore { throw .contentEnds(before: reference.path, at: end) }
    }

    private func compare(_ bytes: consuming Bytes, from start: UInt64) {
        var found: (offset: UInt64, failure: Failure)?
        var offset = start
        do throws(Failure) {
            if isNeeded(start) {
                let buffer = try OutputBuffer(capacity: Self.readSize)
                try bytes.forEachRegion { region throws(Failure) in try compare(region, from: &offset, buffer.memory) }
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

    /// Whether no difference before this offset is known yet.
    private func isNeeded(_ offset: UInt64) -> Bool { offset < state.withLock { $0.first?.offset ?? .max } }

    /// - Parameter offset: where the region begins in the content; on return where it ends, or where it differs.
    private func compare(
        _ region: RawSpan, from offset: inout UInt64, _ memory: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        var rest = region
        while !rest.isEmpty {
            let next = rest.extracting(first: memory.count)
            let count = try reference.read(into: memory.extracting(..<next.byteCount), at: offset)
            let same = next.sameBytes(as: memory.bytes.extracting(..<count))
            offset += UInt64(same)
            if same < count { throw .contentDiffers(from: reference.path, at: offset) }
            if count < next.byteCount { throw .contentContinues(after: reference.path, at: offset) }
            rest = rest.extracting(count...)
        }
    }
}
