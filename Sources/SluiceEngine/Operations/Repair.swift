package import ByteStreams
internal import Dispatch
internal import Parity
internal import Synchronization

/// Writes a file with parity as it was made. Each byte is proved once more when it is written.
///
/// The run fails with `parity` if the file has none, or if it has anything that can't be repaired or would be lost
/// (`RepairFinding`): it gives all streams of the file, or none.
package struct Repair: RunOperation {
    private let source: Source
    private let limits: DecodingLimits
    private let copying = Copying()
    let parityMemory: Int
    /// The memory in bytes that a limit leaves for parity.
    private var allowed: Int?
    private let found = Locked(RepairFinding?.none)

    /// - Throws: `noFile`, `reading`.
    package init(of source: Source) throws(Failure) {
        guard source.isRandomAccess else { throw .noFile }
        // Of a file on a server, blocks are not asked for one by one.
        self.source = source.readAhead
        limits = Decompression(windowLimit: .max).ownLimits
        parityMemory = try CheckedParity.memory(of: source)
    }

    package var contentSide: Activity.Content { .both }
    package var slotSize: Int { copying.slotSize }
    package func workers(of threads: Int) -> Int { copying.workers(of: threads) }
    package func memory(of size: RunSize) -> Int { copying.memory(of: size) + parityMemory }

    package func parityMemory(inputSize: UInt64?) -> Int? { parityMemory > 0 ? parityMemory : nil }
    package mutating func allowParity(_ bytes: Int) { allowed = bytes }

    package func begin(from source: inout Source, to sink: Sink?) throws(Failure) -> (any Envelope)? {
        let most = CheckedParity.mostMemory(allowed)
        let stream = RepairedStream(self.source, limits, mostMemory: most) { [found] finding in
            found.withLock { $0 = finding }
        }
        source = Source(stream, identity: self.source.identity)
        return nil
    }

    package func run(on engine: Engine) throws(Failure) { try copying.run(on: engine) }

    /// What was repaired, once all of it has been read.
    var finding: RepairFinding? { found.withLock { $0 } }
}

/// Reads the streams of a file as they were made, in their order. What they are is found out at the first read.
private final class RepairedStream: ByteSource {
    private static let mostBytes = 1 << 20

    private struct State {
        var repaired: RepairedSource?
        var finding: RepairFinding?
        /// How far it was read.
        var position = 0
    }

    private let source: Source
    private let limits: DecodingLimits
    private let mostMemory: Int
    private let didRepair: @Sendable (RepairFinding) -> Void
    private let state = Locked(State())
    private let latch = FailureLatch()
    private let isOver = Atomic(false)
    private let pool = BufferPool(capacity: mostBytes)

    init(
        _ source: Source, _ limits: DecodingLimits, mostMemory: Int,
        didRepair: @escaping @Sendable (RepairFinding) -> Void
    ) {
        (self.source, self.limits, self.mostMemory, self.didRepair) = (source, limits, mostMemory, didRepair)
    }

    func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        if isOver.load(ordering: .relaxed) { return Bytes() }
        let buffer = try OutputBuffer(from: pool)
        let filled = try state.withLock { state throws(Failure) in
            try latch.check()
            if state.repaired == nil { try check(&state) }
            guard let repaired = state.repaired else { return 0 }
            let count = min(count, Self.mostBytes, repaired.size - state.position)
            guard count > 0 else { return 0 }
            state.position += count
            return try repaired.fill(
                LentMemory(buffer.memory.extracting(..<count)), from: UInt64(state.position - count))
        }
        if filled > 0 { return buffer.finish(count: filled) }
        if source.descriptor != nil { try source.checkUnchanged() }
        if let finding = state.withLock({ $0.finding }) { didRepair(finding) }
        return nil
    }

    private func check(_ state: inout State) throws(Failure) {
        guard let size = source.size else { throw .noFile }
        let file = DamagedFile(source, size: size, latch: latch)
        let checked = try CheckedParity(file, source, latch, limits, mostMemory: mostMemory)
        let (finding, list) = try RepairFinding.of(checked)
        try finding.checkRepairable()
        guard let list else { return }
        (state.repaired, state.finding) = (RepairedSource(list, isProved: true, latch), finding)
    }

    func endWaiting() { isOver.store(true, ordering: .relaxed) }

    func cancel() {
        endWaiting()
        latch.fail(.cancelled)
    }
}
