internal import Dispatch
internal import Synchronization

/// Counts the bytes that runs read, and the files that are done, at next to no cost for the runs.
///
/// Runs add to DATA_ADD sources from their own threads; the sums are collected at most ten times a second.
package final class Progress: Sendable {
    package struct Totals: Equatable, Sendable {
        /// Bytes that were read.
        package var bytesIn: UInt64 = 0
        /// Files that are done, failed ones included.
        package var filesDone: UInt64 = 0
    }

    private static let interval = DispatchTimeInterval.milliseconds(100)

    private let queue = DispatchQueue(label: "sluice.progress")
    private let bytesIn: DispatchSource
    private let filesDone: DispatchSource
    private let totals = Mutex(Totals())

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

    /// The totals of a tenth of a second ago.
    package var current: Totals { totals.withLock { $0 } }

    package func observe(_ span: Span) {
        if span.stage == .read { bytesIn.add(data: UInt(span.bytes)) }
    }

    package func endFile() { filesDone.add(data: 1) }

    /// Collects the sum of a source, then suspends the source, which goes on adding up, for a tenth of a second.
    private func collect(from source: DispatchSource, _ add: @escaping @Sendable (inout Totals, UInt64) -> Void) {
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
