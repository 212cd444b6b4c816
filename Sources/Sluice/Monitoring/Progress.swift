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

    private struct Sources {
        let bytesIn: DispatchSource
        let filesDone: DispatchSource
    }

    private let queue = DispatchQueue(label: "sluice.progress")
    /// Made when something is counted for the first time, since they start a thread.
    private let sources = Mutex<Sources?>(nil)
    private let totals = Mutex(Totals())

    package init() {}

    deinit {
        let sources = sources.withLock { $0 }
        sources?.bytesIn.cancel()
        sources?.filesDone.cancel()
    }

    /// The totals of a tenth of a second ago.
    package var current: Totals { totals.withLock { $0 } }

    package func observe(_ span: Span) {
        if span.stage == .read { startedSources.bytesIn.add(data: UInt(span.bytes)) }
    }

    package func endFile() { startedSources.filesDone.add(data: 1) }

    private var startedSources: Sources {
        sources.withLock { sources in
            if let sources { return sources }
            let started = Sources(
                bytesIn: makeSource { $0.bytesIn += $1 }, filesDone: makeSource { $0.filesDone += $1 })
            sources = started
            return started
        }
    }

    /// A source that is suspended, but goes on adding up, for a tenth of a second after each sum that was collected.
    private func makeSource(_ add: @escaping @Sendable (inout Totals, UInt64) -> Void) -> DispatchSource {
        let source = DispatchSource.made(DispatchSource.makeUserDataAddSource(queue: queue))
        source.setEventHandler { @Sendable [weak self] in
            guard let self else { return }
            let sum = UInt64(source.data)
            totals.withLock { add(&$0, sum) }
            source.suspend()
            queue.asyncAfter(deadline: .now() + Self.interval) { source.resume() }
        }
        source.activate()
        return source
    }
}
