import Dispatch
import SluiceEngine
import Synchronization

/// Counts the bytes that runs read, at almost no cost for the runs.
///
/// Runs add to a DATA_ADD source from their own threads; the sums are collected at most ten times per second.
final class ProgressCounter: Sendable {
    private static let interval = DispatchTimeInterval.milliseconds(100)

    private let queue = DispatchQueue(label: "sluice.progress")
    /// Created on first use, because it starts a thread.
    private let source = Mutex<DispatchSource?>(nil)
    private let total = Atomic(UInt64(0))

    init() {}

    deinit { source.withLock { $0 }?.cancel() }

    /// The number of bytes read, up to a tenth of a second ago.
    var bytesIn: UInt64 { total.load(ordering: .relaxed) }

    func observe(_ span: StageSpan) {
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

    /// Creates a source that is suspended for a tenth of a second after each collected sum, while it continues to add
    /// up.
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
