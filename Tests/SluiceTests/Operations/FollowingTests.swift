import Dispatch
import Glibc
import StreamTestSupport
import Synchronization
import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Files that are read while they are written, and others that take their place.
@Suite(.timeLimit(.minutes(4)))
struct FollowingTests {
    /// What happens when the reader would wait.
    enum Step: Equatable {
        case append([UInt8])
        /// Another file gets the name.
        case replace([UInt8])
        /// The file itself is made empty, and has other bytes when somebody looks again.
        case rewrite([UInt8])
        case remove
        /// The file gets another name, and an empty one takes its place.
        case rotate
        /// The renamed file grows.
        case appendToOld([UInt8])
        case nothing
    }

    /// Takes a step at each wait, and ends the input after the last one.
    final class Script: Watch {
        private let steps: Mutex<ArraySlice<Step>>
        private let folder: Scratch
        private let end: InputEnd

        init(_ steps: [Step], _ folder: Scratch, _ end: InputEnd) {
            self.steps = Mutex(steps[...])
            (self.folder, self.end) = (folder, end)
        }

        func watch(_ file: FileDescriptor) {}
        func cancel() {}

        func wait(until deadline: DispatchTime) throws(Failure) -> Bool {
            guard let step = steps.withLock({ $0.popFirst() }) else {
                _ = end.ask()
                return false
            }
            do { try take(step) } catch { throw Failure(.reading, "the script has failed: \(error)") }
            return step != .nothing
        }

        private func take(_ step: Step) throws {
            let path = folder.path.appending("log")
            switch step {
            case .append(let bytes): try append(bytes, to: path)
            case .appendToOld(let bytes): try append(bytes, to: folder.path.appending("old"))
            case .rotate:
                try #require(rename(path.string, folder.path.appending("old").string) == 0)
                try append([], to: path)
            case .replace(let bytes):
                try folder.write(bytes, to: "new")
                try #require(rename(folder.path.appending("new").string, path.string) == 0)
            case .rewrite(let bytes): try folder.write(bytes, to: "log")
            case .remove: try #require(unlink(path.string) == 0)
            case .nothing: break
            }
        }

        private func append(_ bytes: [UInt8], to path: FilePath) throws {
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.append, .create], permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll(bytes) }
        }
    }

    /// A stream, and where each of its frames ends in the file and in the content.
    struct Log: Sendable {
        var bytes: [UInt8] = []
        var content: [UInt8] = []
        var ends = [(file: 0, content: 0)]

        init(_ pieces: [[UInt8]], isLive: Bool = true) throws {
            var envelope = StreamEnvelope(CompressionOptions(level: 1), mayEndAnywhere: isLive)
            for piece in pieces {
                let frame = try Job.compress().output(of: piece)
                let checksum = UInt32(littleEndianBytes: Array(frame.suffix(4)))
                bytes += envelope.append(
                    SeekTable.Entry(
                        compressedSize: UInt32(frame.count), decompressedSize: UInt32(piece.count), checksum: checksum))
                bytes += frame
                content += piece
                ends.append((bytes.count, content.count))
            }
            bytes += envelope.trailer()
        }

        /// Where it may be cut: at all places near the ends of frames, and at others.
        func cuts(by step: Int) -> [Int] {
            (0...bytes.count).filter { cut in cut % step == 0 || ends.contains { abs($0.file - cut) <= 5 } }
        }

        /// The content of the whole frames in the first bytes.
        func whole(_ count: Int) -> ArraySlice<UInt8> { content[..<(ends.last { $0.file <= count }?.content ?? 0)] }
    }

    struct Outcome: Sendable {
        var content: [UInt8] = []
        var events: [FollowedFile.Event] = []
        var failure: Failure?
    }

    /// - Parameter first: what is there when the following begins; nil for no file.
    static func follow(
        _ first: [UInt8]?, _ steps: [Step], from start: Following.Start = .beginning, staysWithFile: Bool = false
    ) throws -> Outcome {
        let (folder, end) = (try Scratch(), InputEnd())
        if let first { try folder.write(first, to: "log") }
        let script = Script(steps, folder, end)
        let name = FollowedName(folder.path.appending("log"), staysWithFile: staysWithFile)
        let file = try FollowedFile(name) { script }
        let events = Locked<[FollowedFile.Event]>([])
        file.onEvent { event in events.withLock { $0.append(event) } }
        var (outcome, start) = (Outcome(), start)
        repeat {
            var job = Job(Following(file, from: start, Decompression()), threads: 2)
            job.inputEnd = end
            start = .beginning
            let sink = ScriptedSink()
            do throws(Failure) { _ = try job.run(from: Source(BufferSource()), to: Sink(sink)) } catch {
                if !file.hasEnded(with: error) { outcome.failure = error }
            }
            outcome.content += sink.bytes
        } while !end.isAsked && outcome.failure == nil
        outcome.events = events.withLock { $0 }
        return outcome
    }

    /// Enough of nothing for a file that was replaced to be given up.
    static let silence = [Step](repeating: .nothing, count: 12)
    static let pieces = [sample(40), sample(300), [], sample(9), sample(1000)]

    @Test(arguments: [true, false])
    func `a stream that comes in two parts has all its content, wherever it is cut`(isLive: Bool) async throws {
        try await within(120) {
            let log = try Log(Self.pieces, isLive: isLive)
            for cut in log.cuts(by: 5) {
                let steps = [Step.nothing, .append(Array(log.bytes[cut...])), .nothing]
                let outcome = try Self.follow(Array(log.bytes[..<cut]), steps)
                #expect(outcome.failure == nil, "cut at \(cut)")
                #expect(outcome.content == log.content, "cut at \(cut)")
                #expect(outcome.events == [.ended], "cut at \(cut)")
            }
        }
    }

    /// What takes the place of a file that its writer has left.
    enum Successor: CaseIterable {
        case replacement, rewriting, laterFile
    }

    @Test(arguments: Successor.allCases)
    func `a writer that dies costs no more than the frame that it was writing`(successor: Successor) async throws {
        try await within(120) {
            let (log, other) = (try Log(Self.pieces), try Log([sample(500), sample(2000), sample(30)]))
            for cut in log.cuts(by: 11).dropLast() {
                let steps: [Step] =
                    switch successor {
                    case .replacement: [.replace(other.bytes)]
                    case .rewriting: [.rewrite(other.bytes)]
                    case .laterFile:
                        [.remove, .nothing, .replace(Array(other.bytes[..<50])), .append(Array(other.bytes[50...]))]
                    }
                let outcome = try Self.follow(Array(log.bytes[..<cut]), steps + Self.silence)
                #expect(outcome.failure == nil, "cut at \(cut)")
                // What has come of the cut frame may have been decoded.
                let whole = log.whole(cut)
                let rest = outcome.content.dropFirst(whole.count).dropLast(other.content.count)
                #expect(outcome.content.starts(with: whole), "cut at \(cut)")
                #expect(log.content.dropFirst(whole.count).starts(with: rest), "cut at \(cut)")
                #expect(outcome.content.suffix(other.content.count).elementsEqual(other.content), "cut at \(cut)")
                #expect(outcome.events.last == .ended, "cut at \(cut)")
            }
        }
    }

    @Test(arguments: 1...40)
    func `whatever a writer does, the content is that of the streams in their order`(seed: UInt64) async throws {
        try await within {
            var numbers = SeededNumbers(seed: seed)
            var (steps, content, first) = ([Step](), [UInt8](), [UInt8]?.none)
            for number in 0..<Int.random(in: 1...4, using: &numbers) {
                let pieces = (0..<Int.random(in: 1...5, using: &numbers)).map { _ in
                    sample(Int.random(in: 0...3000, using: &numbers))
                }
                let log = try Log(pieces, isLive: Bool.random(using: &numbers))
                content += log.content
                var rest = log.bytes[...]
                let part = { rest.prefix(Int.random(in: 0...rest.count, using: &numbers)) }
                if number > 0 {
                    // Each stream is whole before the next one comes, in the same file or in another one.
                    steps += Self.silence
                    if Bool.random(using: &numbers) { steps += [.remove, .nothing] }
                    let start = part()
                    steps.append(Bool.random(using: &numbers) ? .append(Array(start)) : .replace(Array(start)))
                    rest = rest.dropFirst(start.count)
                } else if Bool.random(using: &numbers) {
                    first = Array(part())
                    rest = rest.dropFirst(first?.count ?? 0)
                }
                while !rest.isEmpty {
                    if Bool.random(using: &numbers) { steps.append(.nothing) }
                    let next = part()
                    steps.append(.append(Array(next)))
                    rest = rest.dropFirst(next.count)
                }
            }
            let outcome = try Self.follow(first, steps + Self.silence)
            #expect(outcome.failure == nil)
            #expect(outcome.content == content)
        }
    }

    @Test func `a file that another one replaces is read to the end that its writer still gives it`() async throws {
        try await within {
            let (log, other) = (try Log(Self.pieces), try Log([sample(100)]))
            let folder = try Scratch()
            let path = folder.path.appending("log")
            try folder.write(Array(log.bytes[..<60]), to: "log")
            let name = FollowedName(path)
            #expect(try name.news() == .replaced)
            name.restart()
            #expect(try name.read(1000)?.count == 60)
            // The old file grows under another name, beside the new one.
            try #require(rename(path.string, folder.path.appending("old").string) == 0)
            #expect(try name.news() == .missing(.noSuchFileOrDirectory))
            try folder.write(other.bytes, to: "log")
            #expect(try name.news() == .replaced)
            let old = try FileDescriptor.open(folder.path.appending("old"), .writeOnly, options: .append)
            try old.closeAfter { _ = try old.writeAll(log.bytes[60...]) }
            #expect(try name.read(1 << 20)?.elements == Array(log.bytes[60...]))
            #expect(try name.read(1000) == nil)
            name.restart()
            #expect(try name.read(1 << 20)?.elements == other.bytes)
        }
    }

    @Test func `a file that has become longer than before since it was truncated is read anew`() async throws {
        try await within {
            let (log, other) = (try Log([sample(50)]), try Log([sample(500), sample(2000)]))
            #expect(other.bytes.count > log.bytes.count)
            let outcome = try Self.follow(log.bytes, [.nothing, .rewrite(other.bytes)] + Self.silence)
            #expect(outcome.failure == nil)
            #expect(outcome.content == log.content + other.content)
            #expect(outcome.events == [.ended, .truncated(isCut: false), .ended])
        }
    }

    @Test func `a file is read anew that is rewritten with as many bytes as before`() async throws {
        try await within {
            // Two logs whose sizes are the same: literals that can't be compressed.
            var numbers = SeededNumbers(seed: 1)
            func noise() -> [UInt8] { (0..<300).map { _ in UInt8.random(in: 0...255, using: &numbers) } }
            let (first, second) = (try Log([noise(), noise()]), try Log([noise(), noise()]))
            try #require(first.bytes.count == second.bytes.count)
            for start in [Following.Start.beginning, .lastBytes(300)] {
                let outcome = try Self.follow(
                    first.bytes, [.nothing, .rewrite(second.bytes)] + Self.silence, from: start)
                #expect(outcome.failure == nil)
                let expected = start == .beginning ? first.content[...] : first.content.suffix(300)
                #expect(outcome.content == expected + second.content)
            }
        }
    }

    @Test func `a rewriting is noticed of a file whose last bytes alone were asked for`() async throws {
        try await within {
            let (log, other) = (try Log([sample(50)]), try Log([sample(500), sample(2000)]))
            for count in [0, 10, 1000] as [UInt64] {
                let steps = [Step.nothing, .rewrite(other.bytes)] + Self.silence
                let outcome = try Self.follow(log.bytes, steps, from: .lastBytes(count))
                #expect(outcome.failure == nil, "\(count)")
                #expect(outcome.content == log.content.suffix(Int(count)) + other.content, "\(count)")
            }
        }
    }

    @Test func `a writer that goes on in a renamed file loses nothing while the new one is empty`() async throws {
        try await within {
            let (log, other) = (try Log(Self.pieces), try Log([sample(100)]))
            for cut in [0] + log.ends.map(\.file) + [log.bytes.count - 3] {
                // It writes far later than a file is waited for that has bytes.
                let steps =
                    [Step.nothing, .rotate] + Self.silence + Self.silence
                    + [.appendToOld(Array(log.bytes[cut...])), .nothing, .append(other.bytes)] + Self.silence
                let outcome = try Self.follow(Array(log.bytes[..<cut]), steps)
                #expect(outcome.failure == nil, "cut at \(cut)")
                #expect(outcome.content == log.content + other.content, "cut at \(cut)")
            }
        }
    }

    @Test func `each of several files that replace one another at once is read`() async throws {
        try await within {
            let logs = try (1...4).map { number in try Log([sample(100 * number)]) }
            for cut in [0, 30, logs[0].bytes.count] {
                let steps = [Step.replace(logs[1].bytes), .replace(logs[2].bytes), .replace(logs[3].bytes)]
                let outcome = try Self.follow(Array(logs[0].bytes[..<cut]), steps + Self.silence)
                #expect(outcome.failure == nil, "cut at \(cut)")
                let rest = logs[1...].flatMap(\.content)
                #expect(outcome.content.suffix(rest.count).elementsEqual(rest), "cut at \(cut)")
            }
        }
    }

    @Test func `a FIFO under the name is not opened, and whatever is no file is waited for`() async throws {
        try await within {
            let folder = try Scratch()
            let path = folder.path.appending("log")
            let name = FollowedName(path)
            try #require(mkfifo(path.string, 0o600) == 0)
            #expect(try name.news() == .missing(.notSupported))
            // A writer that waits for a reader would be let in.
            let writer = open(path.string, O_WRONLY | O_NONBLOCK)
            #expect(writer < 0 && errno == ENXIO)
            try #require(unlink(path.string) == 0 && mkdir(path.string, 0o700) == 0)
            #expect(try name.news() == .missing(.isDirectory))
        }
    }

    /// What the kernel has, which never tells more than a page of size, and can't be read so far.
    @Test func `a file that says it is longer than what can be read is looked at now and then`() async throws {
        try await within {
            guard let entry = try? FileIdentity(at: "/sys/kernel/uevent_seqnum"), entry.size > 100 else { return }
            let script = CountedWatch(5)
            let file = try FollowedFile(FollowedName("/sys/kernel/uevent_seqnum")) { script }
            file.begin(at: 50)
            let stream = try file.input().open()
            script.onEnd { stream.endWaiting() }
            #expect(try stream.read(100, until: nil)?.isEmpty == true)
        }
    }

    /// Ends the input at its last wait.
    final class CountedWatch: Watch {
        private let state: Mutex<(left: Int, end: @Sendable () -> Void)>

        init(_ count: Int) { state = Mutex((count, {})) }
        func onEnd(_ end: @escaping @Sendable () -> Void) { state.withLock { $0.end = end } }
        func watch(_ file: FileDescriptor) {}
        func cancel() {}
        func wait(until deadline: DispatchTime) throws(Failure) -> Bool {
            let end = state.withLock { state in
                state.left -= 1
                return state.left <= 0 ? state.end : {}
            }
            end()
            return false
        }
    }

    @Test func `names of others neither end nor prolong a wait, and cost little of the processor`() async throws {
        try await within {
            let folder = try Scratch()
            try folder.write([1], to: "log")
            let watch = try FileWatch(folder.path.appending("log"))
            let isOver = Locked(false)
            let thread = DispatchQueue(label: "test.names")
            thread.async {
                while !isOver.withLock({ $0 }) {
                    _ = try? folder.write([], to: "other")
                    _ = unlink(folder.path.appending("other").string)
                    usleep(200)
                }
            }
            defer {
                isOver.withLock { $0 = true }
                thread.sync {}
            }
            func time() -> UInt64 {
                var time = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
            }
            let (start, before) = (DispatchTime.now(), time())
            #expect(try !watch.wait(until: start + 0.5))
            let spent = time() - before
            #expect(DispatchTime.now() >= start + 0.5)
            #expect(DispatchTime.now() < start + 5)
            #expect(spent < 100_000_000, "\(spent) ns")
        }
    }

    @Test func `a change of the name or of the file ends a wait at once`() async throws {
        try await within {
            let folder = try Scratch()
            try folder.write([1], to: "log")
            let path = folder.path.appending("log")
            let watch = try FileWatch(path)
            let file = try FileDescriptor.open(path, .readOnly)
            defer { try? file.close() }
            watch.watch(file)
            let queue = DispatchQueue(label: "test.change")
            queue.asyncAfter(deadline: .now() + 0.05) { _ = try? folder.write([1, 2], to: "log") }
            #expect(try watch.wait(until: .now() + 60))
            queue.sync {}
            while try watch.wait(until: .now()) {}
            queue.asyncAfter(deadline: .now() + 0.05) { _ = rename(path.string, path.string + ".1") }
            #expect(try watch.wait(until: .now() + 60))
        }
    }

    @Test func `the end of the input ends the search for the place to begin, and excuses no other failure`()
        async throws
    {
        try await within {
            let (folder, log) = (try Scratch(), try Log([sample(100)]))
            try folder.write(Array(log.bytes[..<(log.ends[1].file - 3)]), to: "log")
            let file = try FollowedFile(FollowedName(folder.path.appending("log"))) { CountedWatch(1) }
            let stream = try file.input().open()
            #expect(try stream.read(1 << 20, until: nil)?.isEmpty == false)
            let cut = Failure.codec(.truncated(offset: 0))
            #expect(!file.hasEnded(with: cut), "more may come")
            let found = try file.search(FailureLatch()) { latch throws(Failure) -> Int in
                try latch.check()
                stream.endWaiting()
                try latch.check()
                return 1
            }
            #expect(found == nil)
            #expect(file.hasEnded(with: cut))
            _ = file.input()
            #expect(throws: Failure.outOfMemory) {
                _ = try file.search(FailureLatch()) { _ throws(Failure) -> Int in throw .outOfMemory }
            }
        }
    }

    @Test func `zeros that a writer leaves after it was truncated are told of`() async throws {
        try await within {
            let zeros = try Self.follow([UInt8](repeating: 0, count: 500), Self.silence)
            #expect(
                zeros.failure?.message
                    == "begins with zeros: its writer went on behind them after it was truncated")
        }
    }

    @Test func `whoever stays with a file does not see that another one has its name`() async throws {
        try await within {
            let (log, other) = (try Log(Self.pieces), try Log([sample(100)]))
            let steps = [Step.replace(other.bytes)] + Self.silence
            let outcome = try Self.follow(log.bytes, steps, staysWithFile: true)
            #expect(outcome.content == log.content)
            #expect(outcome.events == [.ended])
        }
    }

    @Test func `each change is told of once`() async throws {
        try await within {
            let log = try Log(Self.pieces)
            let steps: [Step] =
                [.nothing, .nothing, .append(log.bytes), .nothing, .remove, .nothing, .nothing, .replace(log.bytes)]
                + [.replace(Array(log.bytes[..<70]))] + Self.silence + [.rewrite([])] + Self.silence
            let outcome = try Self.follow(nil, steps)
            #expect(outcome.content.starts(with: log.content + log.content))
            let missing = FollowedFile.Event.missing(.noSuchFileOrDirectory)
            #expect(
                outcome.events == [
                    missing, .appeared, .ended, missing, .replaced(isCut: false), .ended, .replaced(isCut: false),
                    .truncated(isCut: true),
                ])
        }
    }

    @Test func `the last bytes or lines of what is there come first, and then what follows`() async throws {
        try await within(120) {
            let lines = (0..<40).map { Array("line \($0)\n".utf8) }
            let log = try Log((0..<10).map { Array(lines[4 * $0..<4 * $0 + 4].joined()) })
            for cut in log.cuts(by: 50) {
                let (whole, steps) = (log.whole(cut), [Step.nothing, .append(Array(log.bytes[cut...])), .nothing])
                let first = Array(log.bytes[..<cut])
                for count in [0, 1, 30, 1000] {
                    let outcome = try Self.follow(first, steps, from: .lastBytes(UInt64(count)))
                    let expected = log.content[max(0, whole.count - count)...]
                    #expect(outcome.failure == nil, "\(count) bytes, cut at \(cut)")
                    #expect(outcome.content.elementsEqual(expected), "\(count) bytes, cut at \(cut)")
                }
                for count in [0, 1, 5, 100] {
                    let outcome = try Self.follow(first, steps, from: .lastLines(count, end: 10))
                    let wanted = whole.split(separator: 10).suffix(count).map { $0.count + 1 }.reduce(0, +)
                    #expect(outcome.failure == nil, "\(count) lines, cut at \(cut)")
                    #expect(
                        outcome.content.elementsEqual(log.content[(whole.count - wanted)...]),
                        "\(count) lines, cut at \(cut)")
                }
            }
        }
    }

    @Test func `damage, another format and frames without a size are told of`() async throws {
        try await within {
            var bytes = try Log(Self.pieces).bytes
            bytes[bytes.count / 2] ^= 0x40
            let damaged = try Self.follow(bytes, Self.silence)
            #expect(damaged.failure?.code == .corrupt)
            let foreign = try Self.follow([0x1F, 0x8B, 8, 0, 0, 0, 0, 0], Self.silence)
            #expect(foreign.failure?.message == "is in gzip format: only Zstandard can be followed")
            let unsized = try Self.follow(rawFrame(of: sample(100)), Self.silence, from: .lastBytes(5))
            #expect(unsized.failure == .unplacedEnd)
        }
    }
}
