import Dispatch
import SluiceEngine
import Synchronization

/// Writes the stages' spans as Chrome trace events, with a track for the reader, each worker, the writer, and each
/// connection on which parts are sent.
///
/// The format is the "Trace Event Format" that chrome://tracing and Perfetto read: complete events, microseconds.
final class Trace: Sendable {
    private struct State {
        var text = Array(Trace.opening.utf8)
        var lanes: Set<Int> = []
        /// When the last part ended on each track of parts.
        var senders: [UInt64] = []
        var complaint: Complaint?
    }

    /// The beginning of every trace.
    static let opening = "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"sluice\"}},\n"

    private static let flushSize = 64 << 10
    private static let (readerTrack, writerTrack, firstWorker, firstSender) = (1, 2, 10, 1_000_000)

    private let page: any Page
    private let spans: Mutex<TraceQueue>
    private let state = Mutex(State())
    // Formatting and writing stay out of the run's own threads.
    private let queue = DispatchQueue(label: "sluice.trace", qos: .utility)
    private let start: UInt64

    /// - Parameters:
    ///   - start: of the monotonic clock, in nanoseconds (`StageSpan.now`).
    ///   - waiting: holds the spans until they are written.
    init(on page: any Page, start: UInt64 = StageSpan.now(), waiting: TraceQueue = TraceQueue()) {
        self.page = page
        self.start = start
        spans = Mutex(waiting)
    }

    /// Records a span.
    func observe(_ span: StageSpan) {
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
                append(spans.withLock { $0.handOn() }, to: &state)
                add(.track(Self.readerTrack, "reader"), to: &state)
                JSON.append(Event.track(Self.writerTrack, "writer"), to: &state.text)
                state.text += "\n]\n".utf8
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
        for span in batch.spans {
            guard let (name, kind) = Self.event(for: span) else { continue }
            let track = kind + (span.stage == .upload ? Self.sender(of: span, among: &state.senders) : 0)
            if track >= Self.firstWorker, state.lanes.insert(track).inserted {
                let isSender = track >= Self.firstSender
                let number = track - (isSender ? Self.firstSender : Self.firstWorker) + 1
                add(.track(track, "\(isSender ? "sender" : "worker") \(number)"), to: &state)
            }
            let length = Double(span.end - min(span.start, span.end)) / 1000
            let event = Event(
                name: name, phase: .complete, track: track,
                arguments: .init(bytes: span.bytes, source: span.source), time: time(span.start), length: length)
            add(event, to: &state)
            if state.text.count > Self.flushSize { flush(&state) }
        }
        guard let gap = batch.gap else { return }
        // A mark across all tracks where events are missing.
        let event = Event(
            name: "events were dropped", phase: .instant, track: Self.writerTrack, arguments: .init(events: gap.count),
            time: time(gap.start))
        add(event, to: &state)
    }

    /// The number of the track for a part, which has no other at that time: the one that was busy last. Parts come in
    /// the order of their ends, so that there are no more tracks than connections.
    static func sender(of span: StageSpan, among ends: inout [UInt64]) -> Int {
        let free = ends.indices.filter { ends[$0] <= span.start }.max { ends[$0] < ends[$1] }
        let number = free ?? ends.count
        if free == nil { ends.append(0) }
        ends[number] = span.end
        return number
    }

    private func add(_ event: Event, to state: inout State) {
        JSON.append(event, to: &state.text)
        state.text += ",\n".utf8
    }

    /// The event's name and its track; nil for a span that is not shown.
    private static func event(for span: StageSpan) -> (name: String, track: Int)? {
        let worker = firstWorker + (span.lane ?? 0)
        return switch span.stage {
        case .read: ("read", span.lane == nil ? readerTrack : worker)
        case .slot: ("wait for a slot", readerTrack)
        case .work: ("work", worker)
        case .write: ("write", span.lane == nil ? writerTrack : worker)
        case .sync: ("sync", writerTrack)
        case .name: ("name", writerTrack)
        case .upload: ("upload", firstSender)
        // The worker that has the frame decodes blocks as part of its work.
        case .blocks: span.lane == nil ? nil : ("blocks", worker)
        // Shown by the gaps between the others.
        case .idle, .order, .slots: nil
        }
    }

    /// Microseconds since the start.
    private func time(_ time: UInt64) -> Double { Double(time - min(start, time)) / 1000 }

    private func flush(_ state: inout State) {
        if state.complaint == nil {
            let text = String(decoding: state.text, as: UTF8.self)
            do throws(Complaint) { try page.write(text) } catch { state.complaint = error }
        }
        state.text.removeAll(keepingCapacity: true)
    }
}

/// An event of the format.
private struct Event: JSONValue {
    enum Phase: String {
        case complete = "X"
        case instant = "i"
        case metadata = "M"
    }

    struct Arguments: JSONValue {
        var bytes: Int?
        var events: Int?
        var name: String?
        var source: Int?

        func write(to json: inout JSON) {
            json.object { json in
                json.entry("bytes", bytes)
                json.entry("events", events)
                json.entry("name", name)
                json.entry("source", source)
            }
        }
    }

    let name: String
    let phase: Phase
    let track: Int
    let arguments: Arguments
    /// Microseconds since the start.
    var time: Double?
    /// Microseconds.
    var length: Double?

    static func track(_ track: Int, _ name: String) -> Event {
        Event(name: "thread_name", phase: .metadata, track: track, arguments: Arguments(name: name))
    }

    func write(to json: inout JSON) {
        json.object { json in
            json.entry("args", arguments)
            json.entry("dur", length)
            json.entry("name", name)
            json.entry("ph", phase.rawValue)
            json.entry("pid", 1)
            if phase == .instant { json.entry("s", "g") }
            json.entry("tid", track)
            json.entry("ts", time)
        }
    }
}

/// A bounded queue of spans to be written to a trace. Spans that don't fit are dropped and counted, because waiting for
/// the trace's disk would slow the run down, and distort the trace.
struct TraceQueue {
    /// Consecutive spans that were dropped.
    struct Gap: Equatable, Sendable {
        /// When the first of them began, in nanoseconds of the monotonic clock.
        let start: UInt64
        var count: Int
    }

    /// Spans that are written together.
    struct Batch: Sendable {
        var spans: [StageSpan] = []
        /// The spans dropped after these.
        var gap: Gap?
    }

    private let batchSize: Int
    private let mostBatches: Int
    private var next = Batch()
    /// Batches that are handed on but not yet written.
    private var waiting = 0
    /// Spans dropped so far.
    private(set) var dropped = 0

    /// - Parameters:
    ///   - batchSize: spans that are handed on together, because each time may wake a thread.
    ///   - mostBatches: batches that may wait to be written. With the defaults about 4 MiB wait.
    init(batchSize: Int = 256, mostBatches: Int = 256) {
        precondition(batchSize > 0 && mostBatches > 0)
        self.batchSize = batchSize
        self.mostBatches = mostBatches
    }

    /// Adds a span, or drops it.
    ///
    /// - Returns: a batch to write now; nil for none.
    mutating func add(_ span: StageSpan) -> Batch? {
        let hasRoom = waiting < mostBatches
        if next.spans.count < batchSize {
            next.spans.append(span)
            return hasRoom && next.spans.count == batchSize ? handOn() : nil
        }
        guard hasRoom else {
            dropped += 1
            next.gap = Gap(start: next.gap?.start ?? span.start, count: (next.gap?.count ?? 0) + 1)
            return nil
        }
        let batch = handOn()
        next.spans.append(span)
        return batch
    }

    /// Makes room for another batch after one was written.
    mutating func didWrite() { waiting -= 1 }

    /// Returns what has been added since the last batch.
    mutating func handOn() -> Batch {
        defer {
            next = Batch()
            waiting += 1
        }
        return next
    }
}
