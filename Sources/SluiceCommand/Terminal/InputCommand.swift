internal import CKernel
import Dispatch
import Glibc
import SluiceEngine
import Synchronization

/// The command of `--from-command`, whose standard output is the input of the run.
///
/// A process without a sandbox, which is started with the object, starts the command, passes signals on to it and
/// reports how it ended (docs/decisions/from-command.md).
final class InputCommand: Sendable {
    /// How the command ended.
    enum Ending: Equatable {
        case exited(Int32)
        case killed(by: Int32)
        /// The process that watched it is gone.
        case unknown
    }

    private struct State {
        var hasStarted = false
        var isAskedToEnd = false
        var ending: Ending?
        var report = sluice_command_news()
        /// Ends the waiting for output.
        var whenEnded: (@Sendable () -> Void)?
        /// Is told whether the run waits for the command to exit.
        var whenAwaited: (@Sendable (Bool) -> Void)?
        /// Watches `control` for the report of the command's end.
        var reportSource: DispatchSource?
        /// Whether another process still had the pipe when the command had ended.
        var leavesWriters = false
    }

    /// How long the supervisor may take to end, in milliseconds: what the command has started gets two seconds, and
    /// another one to be killed.
    private static let dismissalWait: Int32 = 3500

    let words: [[UInt8]]
    /// Exit statuses other than 0 that are a success.
    private let accepted: Set<Int>
    /// The command's name in messages.
    let name: FilePath
    private let output: FileDescriptor
    /// A socket to the supervisor, the process that starts the command.
    private let control: Int32
    /// The supervisor's process ID.
    private let supervisor: Int32
    private let state = Mutex(State())
    /// Waits for the end of the command.
    private let running = DispatchGroup()

    /// Prepares a command, which `start` starts. To be called while the process has one thread.
    ///
    /// - Parameters:
    ///   - words: the command and its arguments, at least one.
    ///   - accepted: exit statuses other than 0 that are a success.
    /// - Throws: if there is no process or descriptor left.
    init(_ words: [[UInt8]], accepting accepted: Set<Int> = []) throws(Complaint) {
        (self.words, self.accepted) = (words, accepted)
        name = Self.name(of: words[0])
        var arguments = words.map { word in
            (word + [0]).map(CChar.init(bitPattern:)).withUnsafeBufferPointer(Self.copy)
        }
        defer { for argument in arguments { free(argument) } }
        // The first nil ends the arguments.
        if arguments.contains(nil) { throw Complaint(name, "can't be run: \(Errno.noMemory.sentence)") }
        arguments.append(nil)
        var (output, control, supervisor): (Int32, Int32, Int32) = (-1, -1, -1)
        let error = sluice_prepare_command(&arguments, &output, &control, &supervisor)
        guard error == 0 else { throw Complaint(name, "can't be run: \(Errno(rawValue: error).sentence)") }
        self.output = FileDescriptor(rawValue: output)
        self.control = control
        self.supervisor = supervisor
    }

    /// The last part of a command's path.
    static func name(of word: [UInt8]) -> FilePath {
        // A URL is no command, and its last part may be a secret.
        if URLParts.isMeant(by: word) { return FilePath(String(decoding: URLParts.shown(word), as: UTF8.self)) }
        return FilePath(String(decoding: word.split(separator: UInt8(ascii: "/")).last ?? word[...], as: UTF8.self))
    }

    private static func copy(_ text: UnsafeBufferPointer<CChar>) -> UnsafeMutablePointer<CChar>? {
        text.baseAddress.flatMap { strdup($0) }
    }

    /// The command's output, as a source. The first read starts the command, and the last one fails unless the command
    /// has exited with status 0, or one that is accepted.
    func source() throws(Failure) -> Source {
        let source = try Source(output)
        let base = InputCommandSource(self, try source.open(), output)
        let confirmed = ConfirmedSource(base) { [self] () throws(Failure) in
            try checkInterruption()
            if let flaw { throw .incompleteInput(flaw) }
        }
        return source.read(by: confirmed)
    }

    /// How the command ended; nil until then.
    var ending: Ending? { state.withLock { $0.ending } }
    /// The command's name, exit status and use of resources; nil until it has ended, or if its end is unknown.
    var usage: CommandUsage? {
        let (ending, report) = state.withLock { ($0.ending, $0.report) }
        guard let ending, ending != .unknown else { return nil }
        return CommandUsage(
            name: name.string, exitStatus: report.signal == 0 ? Int(report.exit_status) : nil,
            signal: report.signal == 0 ? nil : Int(report.signal), userSeconds: Double(report.user_microseconds) / 1e6,
            systemSeconds: Double(report.system_microseconds) / 1e6,
            peakMemoryBytes: UInt64(clamping: report.peak_kilobytes) << 10)
    }

    func onAwaited(_ tell: @escaping @Sendable (Bool) -> Void) { state.withLock { $0.whenAwaited = tell } }

    /// Checks whether the command ended because of a signal, whatever its exit status: one that was passed on to it, or
    /// one that has reached the supervisor. That may take a moment to reach this process too.
    ///
    /// - Throws: `cancelled`.
    private func checkInterruption() throws(Failure) {
        for pause in 0...SLUICE_SIGNAL_WAIT {
            let (isAskedToEnd, signal) = state.withLock { ($0.isAskedToEnd, $0.report.own_signal) }
            if isAskedToEnd { throw .cancelled }
            if signal == 0 || pause == SLUICE_SIGNAL_WAIT { return }
            usleep(1000)
        }
    }

    /// What is wrong with its end, such as `pg_dump exited with status 3`; nil if all is well.
    private var flaw: String? {
        switch ending {
        case .exited(0): nil
        case .exited(let status) where accepted.contains(Int(status)): nil
        case .exited(let status): "\(name.printable) exited with status \(status)"
        case .killed(let number): "\(name.printable) was killed by signal \(number)"
        case .unknown, nil: "nothing is known about the end of \(name.printable)"
        }
    }

    /// - Parameter whenEnded: is called when the command has ended.
    /// - Throws: why it could not be started.
    fileprivate func start(whenEnded: @escaping @Sendable () -> Void) throws(Failure) {
        var news = sluice_command_news()
        // Ask the supervisor within the lock, so that a signal reaches it only afterwards.
        var error = try state.withLock { state throws(Failure) in
            if state.isAskedToEnd { throw .cancelled }
            (state.hasStarted, state.whenEnded) = (true, whenEnded)
            return sluice_signal_command(control, Int32(SLUICE_START_COMMAND))
        }
        if error == 0 { error = sluice_command_news(control, &news) }
        if error == 0 { error = news.error }
        guard error == 0 else {
            let isMissing = error == ENOENT && !words[0].contains(UInt8(ascii: "/"))
            let reason = isMissing ? "command not found" : Errno(rawValue: error).sentence
            throw .incompleteInput("can't run \(name.printable): \(reason)")
        }
        running.enter()
        let reports = DispatchSource.made(
            DispatchSource.makeReadSource(fileDescriptor: control, queue: DispatchQueue(label: "sluice.command")))
        reports.setEventHandler { @Sendable [weak self] in self?.takeReport() }
        state.withLock { $0.reportSource = reports }
        reports.activate()
    }

    private func takeReport() {
        var news = sluice_command_news()
        let error = sluice_command_news(control, &news)
        let act = state.withLock { state in
            state.reportSource?.cancel()
            state.ending =
                error != 0 ? .unknown : news.signal != 0 ? .killed(by: news.signal) : .exited(news.exit_status)
            state.report = news
            return state.whenEnded.take()
        }
        running.leave()
        act?()
    }

    /// Sends a signal, after which the command has two seconds to end. The first signal counts.
    func end(with number: Int32) {
        let isDue = state.withLock { state in
            defer { state.isAskedToEnd = true }
            return state.hasStarted && !state.isAskedToEnd && state.ending == nil
        }
        if isDue { _ = sluice_signal_command(control, number) }
    }

    /// Waits for the supervisor to end, which would otherwise stay as a zombie in a container whose first process is
    /// not an init. After the first call there is nothing left to wait for.
    ///
    /// - Parameter hasSucceeded: whether the run has: if not, the command and all that it has started are ended.
    func dismiss(hasSucceeded: Bool) {
        sluice_dismiss_command(control, supervisor, hasSucceeded, Self.dismissalWait)
    }

    /// Says with which status other than 0 it has exited, if that was accepted.
    var notice: String? {
        guard case .exited(let status)? = ending, accepted.contains(Int(status)) else { return nil }
        return "\(name.printable) exited with status \(status), which --accept-status takes for a success"
    }

    /// Says that output may be lost; nil if nobody was left to write any.
    var warning: String? {
        guard state.withLock({ $0.leavesWriters }) else { return nil }
        return "\(name.printable) has exited, but a process that it started still has its output open: "
            + "what that writes now is not read"
    }

    fileprivate func noteWriters() { state.withLock { $0.leavesWriters = true } }

    /// Waits until it has exited.
    fileprivate func waitForEnd() {
        if running.wait(timeout: .now()) == .success { return }
        let tell = state.withLock { $0.whenAwaited }
        tell?(true)
        running.wait()
        tell?(false)
    }
}

/// The output of a command: it ends with the pipe, or when the command has exited and all that it wrote is read. A
/// process that it has left in the background may keep the pipe open.
private final class InputCommandSource: ByteSource {
    private let command: InputCommand
    private let stream: any ByteSource
    private let output: FileDescriptor
    private let hasStarted = Atomic(false)
    /// Unread bytes of those that were in the pipe when the command exited; negative while it runs.
    private let left = Atomic(-1)

    init(_ command: InputCommand, _ stream: any ByteSource, _ output: FileDescriptor) {
        self.command = command
        self.stream = stream
        self.output = output
    }

    func read(_ count: Int, until deadline: DispatchTime?) throws(Failure) -> Bytes? {
        if !hasStarted.exchange(true, ordering: .relaxed) {
            try command.start { [stream] in stream.endWaiting() }
        }
        if left.load(ordering: .relaxed) < 0 {
            let bytes = try stream.read(count, until: deadline)
            if let bytes, !bytes.isEmpty || command.ending == nil { return bytes }
            if bytes == nil { command.waitForEnd() }
            // No read is under way, so what the command wrote is here as a whole.
            left.store(output.bytesAtHand, ordering: .relaxed)
        }
        let buffer = try OutputBuffer(capacity: min(count, left.load(ordering: .relaxed)))
        if buffer.memory.isEmpty {
            if output.hasWriters { command.noteWriters() }
            return nil
        }
        let taken = try Failure.reading(output.fill(buffer.memory))
        left.subtract(taken, ordering: .relaxed)
        return taken > 0 ? buffer.finish(count: taken) : nil
    }

    func endWaiting() { stream.endWaiting() }

    func cancel() {
        command.end(with: SIGTERM)
        stream.cancel()
    }

    /// Also waits for the command, which gets a signal if the run needs no more of its output. The pipe is closed
    /// first, so that later writes fail: a shell obeys the signal only after the program that it waits for has ended.
    func finish() {
        command.end(with: SIGTERM)
        stream.finish()
        try? output.close()
        command.waitForEnd()
    }
}

extension FileDescriptor {
    /// Bytes that can be read without waiting.
    fileprivate var bytesAtHand: Int {
        var count: Int32 = 0
        return ioctl(rawValue, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Whether a process can still write to the pipe. Those that are about to end get a moment for that.
    fileprivate var hasWriters: Bool {
        var entry = pollfd(fd: rawValue, events: 0, revents: 0)
        return poll(&entry, 1, 100) == 0
    }
}
