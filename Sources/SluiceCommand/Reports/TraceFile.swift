import Dispatch
import Sluice
import Synchronization
import SystemPackage

/// Writes what each stage does as Chrome trace events, with a track for the reader, each worker and the writer.
///
/// The format is the "Trace Event Format" that chrome://tracing and Perfetto read: complete events, microseconds.
final class TraceFile: Sendable {
    private struct State: ~Copyable {
        var file: SideFile?
        var text = "[\n"
        var lanes: Set<Int> = []
        var complaint: Complaint?
    }

    private static let flushSize = 64 << 10
    /// Spans that go to the queue together: each time may wake a thread.
    private static let batchSize = 256
    private static let (readerTrack, writerTrack, firstWorker) = (1, 2, 10)

    private let spans = Mutex<[Span]>([])
    private let state: Mutex<State>
    // Formatting and writing stay out of the run's own threads.
    private let queue = DispatchQueue(label: "sluice.trace", qos: .utility)
    private let start = Span.now()

    init(_ path: FilePath, inputs: [FileIdentity], _ settings: Settings, _ console: Console) throws(Complaint) {
        let file = try SideFile(path, inputs: inputs, settings, console)
        state = Mutex(State(file: file))
    }

    /// Takes note of what a stage did.
    func observe(_ span: Span) {
        let batch = spans.withLock { spans -> [Span]? in
            spans.append(span)
            return spans.count < Self.batchSize ? nil : Self.takeAll(&spans)
        }
        guard let batch else { return }
        queue.async { [self] in state.withLock { append(batch, to: &$0) } }
    }

    /// Completes the file.
    func finish() throws(Complaint) {
        let complaint = queue.sync {
            state.withLock { state in
                append(spans.withLock { Self.takeAll(&$0) }, to: &state)
                state.text += Self.name(Self.readerTrack, "reader") + Self.name(Self.writerTrack, "writer")
                state.text += "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"sluice\"}}\n]\n"
                Self.flush(&state)
                if state.complaint == nil, let file = state.file.take() {
                    do throws(Complaint) { try file.finish() } catch { state.complaint = error }
                }
                return state.complaint
            }
        }
        if let complaint { throw complaint }
    }

    private static func takeAll(_ spans: inout [Span]) -> [Span] {
        defer { spans.removeAll() }
        return spans
    }

    private func append(_ spans: [Span], to state: inout State) {
        for event in spans.compactMap(event) {
            if event.track >= Self.firstWorker, state.lanes.insert(event.track).inserted {
                state.text += Self.name(event.track, "worker \(event.track - Self.firstWorker + 1)")
            }
            state.text += event.text(since: start)
            if state.text.utf8.count > Self.flushSize { Self.flush(&state) }
        }
    }

    private struct Event {
        let name: String
        let track: Int
        let span: Span

        func text(since start: UInt64) -> String {
            let from = Double(span.start - min(start, span.start)) / 1000
            let length = Double(span.end - min(span.start, span.end)) / 1000
            return """
                {"name":"\(name)","ph":"X","pid":1,"tid":\(track),"ts":\(ByteCount.fixed(from, digits: 3)),\
                "dur":\(ByteCount.fixed(length, digits: 3)),"args":{"bytes":\(span.bytes),"source":\(span.source)}},

                """
        }
    }

    private func event(for span: Span) -> Event? {
        let worker = Self.firstWorker + (span.lane ?? 0)
        return switch span.stage {
        case .read: Event(name: "read", track: span.lane == nil ? Self.readerTrack : worker, span: span)
        case .slot: Event(name: "wait for a slot", track: Self.readerTrack, span: span)
        case .work: Event(name: "work", track: worker, span: span)
        case .write: Event(name: "write", track: span.lane == nil ? Self.writerTrack : worker, span: span)
        case .sync: Event(name: "sync", track: Self.writerTrack, span: span)
        // Gaps between the others show it.
        case .idle, .order, .slots: nil
        }
    }

    private static func name(_ track: Int, _ name: String) -> String {
        "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":\(track),\"args\":{\"name\":\"\(name)\"}},\n"
    }

    private static func flush(_ state: inout State) {
        guard state.complaint == nil else { return }
        do throws(Complaint) { try state.file?.write(state.text) } catch { state.complaint = error }
        state.text = ""
    }
}
