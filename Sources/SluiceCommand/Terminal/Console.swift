import Glibc
import SluiceEngine
import Synchronization

/// Standard error: messages, and a progress line below them that never mixes with them.
final class Console: Sendable {
    private struct State {
        /// The progress line.
        var line = ""
        /// Whether the terminal's tab shows progress.
        var isOnTab = false
        /// Whether another process shows its line instead of ours.
        var isOutOfTurn = false
        var isAsking = false
        var firstError: String?
        /// The hints given so far: each is printed once, however many files it applies to.
        var hints: Set<String> = []
        /// Faults that several files may have, in the order in which they were met.
        var faults: [(fault: String, others: Int)] = []
        /// How many complaints of each kind there were, and the first of them.
        var complaints: [String: (count: Int, first: String)] = [:]
    }

    /// When the call began, before it reads dictionaries, in nanoseconds (`StageSpan.now`).
    let start = StageSpan.now()
    /// Begins each message.
    private let program: String
    private let quietness: Int
    private let state = Mutex(State())
    private let isClosed = Atomic(false)

    /// The most failures of one kind that are printed one by one.
    private static let mostOfOneKind = 20

    private let isDumb: Bool
    /// Whether the terminal is known to show progress in its tab.
    private let hasTab: Bool

    /// - Parameter program: the name by which the command was called, if that is one of zstd's.
    init(quietness: Int, program: String = "sluice") {
        self.program = program
        self.quietness = quietness
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        hasTab = StandardDescriptors.isTerminal(.standardError) && TabProgress.isTaken(environment)
        let terminal = environment("TERM") ?? ""
        isDumb = terminal.isEmpty || terminal == "dumb"
    }

    /// Reports a failure, and a hint unless it was given before. Control characters are made harmless.
    func error(_ sentence: String, hint: String? = nil) {
        let (sentence, hint) = (sentence.printable, hint?.printable)
        let isNew = state.withLock { state in
            state.firstError = state.firstError ?? sentence
            return hint.map { state.hints.insert($0).inserted } ?? false
        }
        guard quietness < 2 else { return }
        let advice = isNew ? hint.map { "\(program): hint: \($0)\n" } : nil
        write("\(program): \(sentence)\n" + (advice ?? ""))
    }

    func error(_ complaint: Complaint) { error(complaint.sentence, hint: complaint.hint) }

    /// Reports a failure of one of many files: from some number on, those of one kind are only counted.
    func error(_ complaint: Complaint, mayBeCounted: Bool) {
        let isPrinted = state.withLock { state in
            guard mayBeCounted, let kind = complaint.kind else { return true }
            state.complaints[kind, default: (0, complaint.sentence)].count += 1
            return state.complaints[kind]?.count ?? 0 <= Self.mostOfOneKind
        }
        if isPrinted { error(complaint) }
    }

    /// Reports how many more failures there were of the kinds that were only counted.
    func reportOthers() {
        let complaints = state.withLock { $0.complaints.values.filter { $0.count > Self.mostOfOneKind } }
        for (count, first) in complaints.sorted(by: { $0.first < $1.first }) {
            error("\((count - Self.mostOfOneKind).counted("more file")) with the same as: \(first)")
        }
    }

    /// The first failure reported, whether it was printed or not.
    var firstError: String? { state.withLock { $0.firstError } }

    /// Warns about something that differs from the request.
    func warn(_ sentence: String) {
        guard quietness < 1 else { return }
        write("\(program): warning: \(sentence.printable)\n")
    }

    /// Warns about a fault of a file. Other files with the same fault are only counted: a file system that can't store
    /// modes can't store them for any file.
    func warn(_ path: FilePath, _ fault: String) {
        let isNew = state.withLock { state in
            let index = state.faults.firstIndex { $0.fault == fault }
            if let index { state.faults[index].others += 1 } else { state.faults.append((fault, others: 0)) }
            return index == nil
        }
        if isNew { warn("\(path.printable): \(fault)") }
    }

    /// Warns how many other files have the faults that were reported.
    func warnOfOthers() {
        let faults = state.withLock { $0.faults }
        for (fault, others) in faults where others > 0 { warn("\(others.counted("more file")): \(fault)") }
    }

    /// Reports what happens, for those who asked for more messages.
    func notice(_ sentence: String) { write("\(program): \(sentence.printable)\n") }

    /// Writes whole lines.
    func write(_ text: String) {
        state.withLock { state in
            Self.put(erasure(state) + text + drawing(of: state.line))
        }
    }

    /// Writes lines for programs, above the progress line.
    func print(_ lines: [UInt8], on descriptor: FileDescriptor) throws(Errno) {
        try state.withLock { state throws(Errno) in
            Self.put(erasure(state))
            defer { Self.put(drawing(of: state.line)) }
            try descriptor.writeEverything(lines[...])
        }
    }

    /// Replaces the progress line, unless another process shows one; an empty line removes it.
    ///
    /// - Parameters:
    ///   - knowsEnd: whether the line shows the total.
    ///   - fraction: the share that is done, 0 to 1, for the terminal's tab; nil if it is unknown.
    func show(_ newLine: String, knowsEnd: Bool = false, fraction: Double? = nil) {
        state.withLock { state in
            var shown = isClosed.load(ordering: .acquiring) || state.isAsking ? "" : newLine
            state.isOutOfTurn = !shown.isEmpty && !TerminalTurn.take(knowsEnd: knowsEnd)
            if state.isOutOfTurn { shown = "" }
            if shown.isEmpty, state.line.isEmpty { return }
            Self.put(erasure(state) + drawing(of: shown) + tab(shown.isEmpty ? nil : .some(fraction), &state))
            state.line = shown
            if shown.isEmpty { TerminalTurn.giveBack() }
        }
    }

    /// Removes the progress line for good.
    ///
    /// - Parameter last: replaces the line, if one was shown or would have been.
    func close(leaving last: String = "") {
        isClosed.store(true, ordering: .releasing)
        state.withLock { state in
            if state.line.isEmpty, !state.isOutOfTurn || last.isEmpty { return }
            Self.put(erasure(state) + (last.isEmpty ? "" : last + "\n") + tab(nil, &state))
            state.line = ""
            TerminalTurn.giveBack()
        }
    }

    /// Asks a question, and reads the answer from standard input.
    func confirms(_ question: String) -> Bool {
        state.withLock { state in
            state.isAsking = true
            Self.put(erasure(state) + "\(program): \(question) ")
            state.line = ""
        }
        defer { state.withLock { $0.isAsking = false } }
        let isYes = Self.readsYes { Glibc.read(STDIN_FILENO, &$0, 1) == 1 }
        // An answer that was not typed on a terminal leaves the line open.
        if !StandardDescriptors.isTerminal(.standardInput) { write("\n") }
        return isYes
    }

    /// The longest line that can be an answer, in bytes.
    private static let longestAnswer = 4096

    /// Reads a line, and whether it begins with a y. What has no end, such as the output of a program, is no answer.
    ///
    /// - Parameter read: reads a byte; returns false at the end.
    static func readsYes(_ read: (inout UInt8) -> Bool) -> Bool {
        var (first, byte): (UInt8?, UInt8) = (nil, 0)
        for _ in 0..<longestAnswer {
            guard read(&byte), byte != UInt8(ascii: "\n") else { return first.map { $0 | 0x20 } == UInt8(ascii: "y") }
            first = first ?? byte
        }
        return false
    }

    /// Leaves the cursor at the start of the line, where it stays if a terminal that becomes narrower breaks the line.
    /// Turns off wrapping, because a terminal may report its new width late.
    private func drawing(of line: String) -> String {
        if line.isEmpty { return "" }
        return isDumb ? line + "\r" : "\u{1B}[?7l\(line)\r\u{1B}[?7h"
    }

    /// Shows progress in the terminal's tab.
    ///
    /// - Parameter fraction: nil to remove the progress; `.some(nil)` to show progress without a known end.
    private func tab(_ fraction: Double??, _ state: inout State) -> String {
        let wasOnTab = state.isOnTab
        state.isOnTab = hasTab && fraction != nil
        guard let fraction, hasTab else { return wasOnTab ? TabProgress.removal : "" }
        return TabProgress.showing(fraction)
    }

    /// Erases our line, or that of another process, which redraws it below.
    private func erasure(_ state: State) -> String {
        if state.line.isEmpty { return state.isOutOfTurn && !isDumb ? "\r\u{1B}[K" : "" }
        let columns = TextWidth.of(state.line)
        // A terminal that can't erase gets spaces.
        if isDumb { return "\r" + String(repeating: " ", count: columns) + "\r" }
        // A wide character that does not fit leaves a column free.
        let broken = (columns - 1) / max(1, Self.terminalWidth - 1)
        let below = String(repeating: "\u{1B}[B\u{1B}[K", count: broken)
        return "\r\u{1B}[K" + (broken > 0 ? "\u{1B}7\(below)\u{1B}8" : "")
    }

    /// The width in columns.
    static var terminalWidth: Int {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    /// Ignores errors: there is nowhere to report them, and the run continues.
    private static func put(_ text: String) {
        try? FileDescriptor.standardError.writeEverything(Array(text.utf8)[...])
    }
}

/// Decides which of the processes on a terminal draws its progress: one at a time. Processes that know their total go
/// first, and among equals the one that began first.
///
/// The turn is a lock on two bytes of the terminal, invisible to other programs. The kernel releases it when a process
/// ends in any way.
enum TerminalTurn {
    /// A process that knows its total locks the first byte. Others lock the second, and give way.
    private static let (known, unknown) = (off_t(1), off_t(0))

    /// Takes or keeps the turn.
    ///
    /// - Parameter knowsEnd: whether this process knows its total.
    /// - Returns: whether this process has the turn, as far as can be determined.
    static func take(knowsEnd: Bool) -> Bool {
        guard isatty(STDERR_FILENO) == 1 else { return true }
        return knowsEnd ? lock(known) : !isLocked(known) && lock(unknown)
    }

    /// Releases the turn.
    static func giveBack() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        for byte in [known, unknown] { _ = call(F_SETLK, F_UNLCK, byte) }
    }

    /// Without support for locks, each process draws as if alone.
    private static func lock(_ byte: off_t) -> Bool {
        call(F_SETLK, F_WRLCK, byte) != nil || errno != EAGAIN && errno != EACCES
    }

    private static func isLocked(_ byte: off_t) -> Bool {
        call(F_GETLK, F_WRLCK, byte).map { Int32($0.l_type) != F_UNLCK } ?? false
    }

    /// Calls fcntl for a process lock: `flock` and locks of a description would belong to all processes that inherited
    /// it.
    private static func call(_ command: Int32, _ type: Int32, _ byte: off_t) -> flock? {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (byte, 1)
        return fcntl(STDERR_FILENO, command, &lock) == 0 ? lock : nil
    }
}
