import Glibc
import Sluice
import Synchronization
import SystemPackage

/// Standard error: messages, and below them the line that shows progress. Neither ever lands in the other.
final class Console: Sendable {
    private let quietness: Int
    private let line: Mutex<String> = Mutex("")
    private let isClosed = Atomic(false)

    init(quietness: Int) {
        self.quietness = quietness
    }

    /// Says that something failed, and what to do about it.
    func error(_ sentence: String, hint: String? = nil) {
        guard quietness < 2 else { return }
        write("sluice: \(sentence)\n" + (hint.map { "sluice: hint: \($0)\n" } ?? ""))
    }

    /// Says that something is done otherwise than it was asked for.
    func warn(_ sentence: String) {
        guard quietness < 1 else { return }
        write("sluice: warning: \(sentence)\n")
    }

    /// Writes whole lines.
    func write(_ text: String) {
        line.withLock { line in
            Self.put((line.isEmpty ? "" : Self.erase) + text + line)
        }
    }

    /// Replaces the line that shows progress; an empty one removes it.
    func show(_ newLine: String) {
        line.withLock { line in
            let shown = isClosed.load(ordering: .acquiring) ? "" : newLine
            if shown.isEmpty, line.isEmpty { return }
            line = shown
            Self.put(Self.erase + shown)
        }
    }

    /// Removes the line for good.
    func close() {
        isClosed.store(true, ordering: .releasing)
        show("")
    }

    /// Asks a question, and waits for the answer from standard input.
    func confirms(_ question: String) -> Bool {
        write("sluice: \(question) ")
        var answer: [UInt8] = []
        var byte: UInt8 = 0
        while Glibc.read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") { answer.append(byte) }
        return answer.first == UInt8(ascii: "y") || answer.first == UInt8(ascii: "Y")
    }

    /// To the start of the line, and clear it.
    private static let erase = "\r\u{1B}[K"

    /// Errors are ignored: there is nowhere to report them, and the run goes on.
    private static func put(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                // The terminal's description may be non-blocking for the sake of standard input.
                var ready = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                if poll(&ready, 1, 1000) <= 0 { return }
            } else if errno != EINTR {
                return
            }
        }
    }
}
