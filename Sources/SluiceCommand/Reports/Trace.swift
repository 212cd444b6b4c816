import Dispatch
import Sluice
import Synchronization

/// Writes the stages' spans as Chrome trace events, with a track for the reader, each worker and the writer.
///
/// The format is the "Trace Event Format" that chrome://tracing and Perfetto read: complete events, microseconds.
final class Trace: Sendable {
    private struct State {
        var text = Trace.opening
        var lanes: Set<Int> = []
        var complaint: Complaint?
    }

    /// The beginning of every trace.
    static let opening = "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"sluice\"}},\n"

    private static let flushSize = 64 << 10
    private static let (readerTrack, writerTrack, firstWorker) = (1, 2, 10)

    private let page: any Page
    private let spans: Mutex<TraceQueue>
    private let state = Mutex(State())
    // Formatting and writing stay out of the run's own threads.
    private let queue = DispatchQueue(label: "sluice.trace", qos: .utility)
    private let start = Span.now()

    /// - Parameter waiting: holds the spans until they are written.
    init(on page: any Page, waiting: TraceQueue = TraceQueue()) {
        self.page = page
        spans = Mutex(waiting)
    }

    /// Records a span.
    func observe(_ span: Span) {
        guard Self.event(for: span) != nil else { return }
        guard let batch = spans.withLock({ $0.add(span) }) else { return }
        queue.async { [self] in
            state.withLock { append(batch, to: &$0) }
            spans.withLock { $0.didWrite() }
        }
    }

    /// Completes the trace.
    ///
    /// - Returns: the number of dropped events.
    func finish() throws(Complaint) -> Int {
        let complaint = queue.sync {
            state.withLock { state in
                for batch in spans.withLock({ $0.takeRest() }) { append(batch, to: &state) }
                state.text += Self.name(Self.readerTrack, "reader")
                state.text += Self.name(Self.writerTrack, "writer").dropLast(2) + "\n]\n"
                flush(&state)
                if state.complaint == nil {
                    do throws(Complaint) { try page.finish() } catch { state.complaint = error }
                }
                return state.complaint
            }
        }
        if let complaint { throw complaint }
        return spans.withLock { $0.dropped }
    }

    private func append(_ batch: TraceQueue.Batch, to state: inout State) {
        // After a failure the rest is useless.
        guard state.complaint == nil else { return }
        if let gap = batch.gap { state.text += text(of: gap) }
        for event in batch.spans.compactMap(Self.event) {
            if event.track >= Self.firstWorker, state.lanes.insert(event.track).inserted {
                state.text += Self.name(event.track, "worker \(event.track - Self.firstWorker + 1)")
            }
            state.text += event.text(since: start)
            if state.text.utf8.count > Self.flushSize { flush(&state) }
        }
    }

    private struct Event {
        let name: String
        let track: Int
        let span: Span

        func text(since start: UInt64) -> String {
            let length = Double(span.end - min(span.start, span.end)) / 1000
            return """
                {"name":"\(name)","ph":"X","pid":1,"tid":\(track),"ts":\(Trace.time(span.start, since: start)),\
                "dur":\(ByteCount.fixed(length, digits: 3)),"args":{"bytes":\(span.bytes),"source":\(span.source)}},

                """
        }
    }

    private static func event(for span: Span) -> Event? {
        let worker = firstWorker + (span.lane ?? 0)
        return switch span.stage {
        case .read: Event(name: "read", track: span.lane == nil ? readerTrack : worker, span: span)
        case .slot: Event(name: "wait for a slot", track: readerTrack, span: span)
        case .work: Event(name: "work", track: worker, span: span)
        case .write: Event(name: "write", track: span.lane == nil ? writerTrack : worker, span: span)
        case .sync: Event(name: "sync", track: writerTrack, span: span)
        case .name: Event(name: "name", track: writerTrack, span: span)
        // The worker that has the frame decodes blocks as part of its work.
        case .blocks: span.lane == nil ? nil : Event(name: "blocks", track: worker, span: span)
        // Shown by the gaps between the others.
        case .idle, .order, .slots: nil
        }
    }

    /// A mark across all tracks where events are missing.
    private func text(of gap: TraceQueue.Gap) -> String {
        """
        {"name":"events were dropped","ph":"i","s":"g","pid":1,"tid":\(Self.writerTrack),\
        "ts":\(Self.time(gap.start, since: start)),"args":{"events":\(gap.count)}},

        """
    }

    /// Microseconds since the start.
    private static func time(_ time: UInt64, since start: UInt64) -> String {
        ByteCount.fixed(Double(time - min(start, time)) / 1000, digits: 3)
    }

    private static func name(_ track: Int, _ name: String) -> String {
        "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":\(track),\"args\":{\"name\":\"\(name)\"}},\n"
    }

    private func flush(_ state: inout State) {
        if state.complaint == nil {
            do throws(Complaint) { try page.write(state.text) } catch { state.complaint = error }
        }
        state.text = ""
    }
}
