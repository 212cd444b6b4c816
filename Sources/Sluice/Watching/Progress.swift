internal import Dispatch
internal import Synchronization

/// Counts what runs read and write, coalesced so that counting costs the runs next to nothing.
///
/// Runs add to DATA_ADD sources from their own threads; the sums are taken over at most ten times a second.
package final class Progress: Sendable {
    /// What was counted until now.
    package struct Totals: Equatable, Sendable {
        /// Bytes that were read.
        package var bytesIn: UInt64 = 0
        /// Bytes of the input that were worked on, in order: what is only read ahead does not count.
        package var bytesDone: UInt64 = 0
        /// Bytes that they became.
        package var bytesMade: UInt64 = 0
        /// Bytes that were written, or passed a test.
        package var bytesOut: UInt64 = 0
        /// Files that nothing more is done for, failed ones too.
        package var filesDone: UInt64 = 0
    }

    private static let interval = DispatchTimeInterval.milliseconds(100)

    private let queue = DispatchQueue(label: "sluice.progress")
    private let bytesIn: DispatchSource
    private let bytesOut: DispatchSource
    private let filesDone: DispatchSource
    private let totals = Mutex(Totals())
    private let outputStage: Span.Stage

    /// - Parameter isTesting: whether the runs have no output, and what is verified counts in its place.
    package init(isTesting: Bool = false) {
        outputStage = isTesting ? .order : .write
        bytesIn = .made(DispatchSource.makeUserDataAddSource(queue: queue))
        bytesOut = .made(DispatchSource.makeUserDataAddSource(queue: queue))
        filesDone = .made(DispatchSource.makeUserDataAddSource(queue: queue))
        collect(from: bytesIn) { $0.bytesIn += $1 }
        collect(from: bytesOut) { $0.bytesOut += $1 }
        collect(from: filesDone) { $0.filesDone += $1 }
    }

    deinit {
        bytesIn.cancel()
        bytesOut.cancel()
        filesDone.cancel()
    }

    /// What was counted until a tenth of a second ago.
    package var current: Totals { totals.withLock { $0 } }

    /// Takes note of what a run reads and writes.
    package func observe(_ span: Span) {
        if span.stage == .read {
            bytesIn.add(data: UInt(span.bytes))
        } else if span.stage == .order {
            // Once a frame, and together: sums that are taken over at different times would make a ratio of nothing.
            totals.withLock { totals in
                totals.bytesDone += UInt64(span.source)
                totals.bytesMade += UInt64(span.bytes)
            }
        }
        if span.stage == outputStage, span.bytes > 0 { bytesOut.add(data: UInt(span.bytes)) }
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
