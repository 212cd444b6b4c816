internal import ByteStreams
internal import Dispatch
internal import Synchronization

/// Counts the bytes that runs read, at next to no cost for the runs.
///
/// Runs add to a DATA_ADD source from their own threads; the sums are collected at most ten times a second.
package final class Progress: Sendable {
    private static let interval = DispatchTimeInterval.milliseconds(100)

    private let queue = DispatchQueue(label: "sluice.progress")
    /// Made when something is counted for the first time, since it starts a thread.
    private let source = Mutex<DispatchSource?>(nil)
    private let total = Atomic(UInt64(0))

    package init() {}

    deinit { source.withLock { $0 }?.cancel() }

    /// The bytes of a tenth of a second ago.
    package var bytesIn: UInt64 { total.load(ordering: .relaxed) }

    package func observe(_ span: Span) {
        if span.stage == .read { startedSource.add(data: UInt(span.bytes)) }
    }

    private var startedSource: DispatchSource {
        source.withLock { source in
            if let source { return source }
            let started = makeSource()
            source = started
            return started
        }
    }

    /// A source that is suspended, but goes on adding up, for a tenth of a second after each sum that was collected.
    private func makeSource() -> DispatchSource {
        let source = DispatchSource.made(DispatchSource.makeUserDataAddSource(queue: queue))
        source.setEventHandler { @Sendable [weak self] in
            guard let self else { return }
            total.add(UInt64(source.data), ordering: .relaxed)
            source.suspend()
            queue.asyncAfter(deadline: .now() + Self.interval) { source.resume() }
        }
        source.activate()
        return source
    }
}
