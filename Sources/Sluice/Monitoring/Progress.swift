internal import Dispatch
internal import Synchronization

/// Counts what runs read, and the files that are done with, coalesced so that counting costs the runs next to nothing.
///
/// Runs add to DATA_ADD sources from their own threads; the sums are taken over at most ten times a second.
package final class Progress: Sendable {
    /// What was counted until now.
    package struct Totals: Equatable, Sendable {
        /// Bytes that were read.
        package var bytesIn: UInt64 = 0
        /// Files that nothing more is done for, failed ones too.
        package var filesDone: UInt64 = 0
    }

    private static let interval = DispatchTimeInterval.milliseconds(100)

    private let queue = DispatchQueue(label: "sluice.progress")
    private let bytesIn: DispatchSource
    private let filesDone: DispatchSource
    private let totals = Mutex(Totals())

    /// Nothing is counted yet.
    package init() {
        bytesIn = .made(DispatchSource.makeUserDataAddSource(queue: queue))
        filesDone = .made(DispatchSource.makeUserDataAddSource(queue: queue))
        collect(from: bytesIn) { $0.bytesIn += $1 }
        collect(from: filesDone) { $0.filesDone += $1 }
    }

    deinit {
        bytesIn.cancel()
        filesDone.cancel()
    }

    /// What was counted until a tenth of a second ago.
    package var current: Totals { totals.withLock { $0 } }

    /// Takes note of what a run reads.
    package func observe(_ span: Span) {
        if span.stage == .read { bytesIn.add(data: UInt(span.bytes)) }
    }

    /// Takes note of a file that is done with.
    package func endFile() { filesDone.add(data: 1) }

    /// A suspended source sums up what is added; it is resumed a tenth of a second after each sum that it gave.
    private func collect(
        from source: DispatchSource, _ add: @escaping @Sendable (inout Totals, UInt64) -> Void
    ) {
        source.setEventHandler { @Sendable [weak self] in
            guard let self else { return }
            let sum = UInt64(source.data)
            totals.withLock { add(&$0, sum) }
            source.suspend()
            queue.asyncAfter(deadline: .now() + Self.interval) { source.resume() }
        }
        source.activate()
    }
}
