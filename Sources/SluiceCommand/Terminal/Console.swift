import Glibc
import Sluice
import Synchronization
import SystemPackage

/// Standard error: messages, and below them the line that shows progress. Neither ever lands in the other.
final class Console: Sendable {
    private struct State {
        /// The line that shows progress.
        var line = ""
        /// Whether another process shows one where ours would be.
        var isOutOfTurn = false
        var isAsking = false
        var firstError: String?
        /// The hints that were given: each once, however many files it helps with.
        var hints: Set<String> = []
    }

    private let quietness: Int
    private let state = Mutex(State())
    private let isClosed = Atomic(false)

    private let isDumb: Bool

    init(quietness: Int) {
        self.quietness = quietness
        let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
        isDumb = terminal.isEmpty || terminal == "dumb"
    }

    /// Says that something failed, and what to do about it, unless that was said before; whatever is in the words, a
    /// terminal obeys none of it.
    func error(_ sentence: String, hint: String? = nil) {
        let (sentence, hint) = (sentence.printable, hint?.printable)
        let isNew = state.withLock { state in
            state.firstError = state.firstError ?? sentence
            return hint.map { state.hints.insert($0).inserted } ?? false
        }
        guard quietness < 2 else { return }
        let advice = isNew ? hint.map { "sluice: hint: \($0)\n" } : nil
        write("sluice: \(sentence)\n" + (advice ?? ""))
    }

    /// The first sentence that said what failed, whether it was shown or not.
    var firstError: String? { state.withLock { $0.firstError } }

    /// Says that something is done otherwise than it was asked for.
    func warn(_ sentence: String) {
        guard quietness < 1 else { return }
        write("sluice: warning: \(sentence.printable)\n")
    }

    /// Writes whole lines.
    func write(_ text: String) {
        state.withLock { state in
            Self.put(erasure(state) + text + drawing(of: state.line))
        }
    }

    /// Writes a line that is for programs, above the one that shows progress.
    ///
    /// - Returns: whether it was written; if not, errno says why.
    func print(_ line: [UInt8], on descriptor: FileDescriptor) -> Bool {
        state.withLock { state in
            Self.put(erasure(state))
            defer { Self.put(drawing(of: state.line)) }
            var rest = line[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor.rawValue, $0.baseAddress, $0.count) }
                if count < 0, errno != EINTR { return false }
                rest = rest.dropFirst(max(0, count))
            }
            return true
        }
    }

    /// Replaces the line that shows progress, unless another process shows one; an empty line removes it.
    ///
    /// - Parameter knowsEnd: whether the line says how much there is.
    func show(_ newLine: String, knowsEnd: Bool = false) {
        state.withLock { state in
            var shown = isClosed.load(ordering: .acquiring) || state.isAsking ? "" : newLine
            state.isOutOfTurn = !shown.isEmpty && !TerminalTurn.take(knowsEnd: knowsEnd)
            if state.isOutOfTurn { shown = "" }
            if shown.isEmpty, state.line.isEmpty { return }
            Self.put(erasure(of: state.line) + drawing(of: shown))
            state.line = shown
            if shown.isEmpty { TerminalTurn.giveBack() }
        }
    }

    /// Removes the line for good.
    ///
    /// - Parameter last: what stays in its place, if there was one, or would have been.
    func close(leaving last: String = "") {
        isClosed.store(true, ordering: .releasing)
        state.withLock { state in
            if state.line.isEmpty, !state.isOutOfTurn || last.isEmpty { return }
            Self.put(erasure(state) + (last.isEmpty ? "" : last + "\n"))
            state.line = ""
            TerminalTurn.giveBack()
        }
    }

    /// Asks a question, and waits for the answer from standard input.
    func confirms(_ question: String) -> Bool {
        state.withLock { state in
            state.isAsking = true
            Self.put(erasure(state) + "sluice: \(question) ")
            state.line = ""
        }
        defer { state.withLock { $0.isAsking = false } }
        var answer: [UInt8] = []
        var byte: UInt8 = 0
        while Glibc.read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") { answer.append(byte) }
        // What is not typed does not end the line.
        if !StandardDescriptors.isTerminal(.standardInput) { write("\n") }
        return answer.first == UInt8(ascii: "y") || answer.first == UInt8(ascii: "Y")
    }

    /// The cursor goes back to the line's start: it stays there when a terminal that becomes narrower breaks the line.
    /// What does not fit is cut off, for a terminal may tell its new width late.
    private func drawing(of line: String) -> String {
        if line.isEmpty { return "" }
        return isDumb ? line + "\r" : "\u{1B}[?7l\(line)\r\u{1B}[?7h"
    }

    /// Erases our line, or that of another process, which draws it again below.
    private func erasure(_ state: State) -> String {
        state.line.isEmpty && state.isOutOfTurn && !isDumb ? "\r\u{1B}[K" : erasure(of: state.line)
    }

    private func erasure(of line: String) -> String {
        if line.isEmpty { return "" }
        let columns = TextWidth.of(line)
        // A terminal that knows no way to erase gets spaces.
        if isDumb { return "\r" + String(repeating: " ", count: columns) + "\r" }
        // A wide character that does not fit leaves a column free.
        let broken = (columns - 1) / max(1, Self.terminalWidth - 1)
        let below = String(repeating: "\u{1B}[B\u{1B}[K", count: broken)
        return "\r\u{1B}[K" + (broken > 0 ? "\u{1B}7\(below)\u{1B}8" : "")
    }

    /// Columns.
    static var terminalWidth: Int {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    /// Errors are ignored: there is nowhere to report them, and the run goes on.
    private static func put(_ text: String) {
        Array(text.utf8).withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                do throws(Errno) {
                    try FileDescriptor.standardError.writeEverything(&rest)
                } catch .resourceTemporarilyUnavailable {
                    // The terminal's description may be non-blocking for the sake of standard input.
                    var ready = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                    if poll(&ready, 1, 1000) <= 0 { return }
                } catch {
                    return
                }
            }
        }
    }
}
