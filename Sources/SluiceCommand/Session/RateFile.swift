import Dispatch
import Glibc
import Sluice
import SystemPackage

/// A file that says how fast the input is read, at most; it is followed until this object goes.
final class RateFile: Sendable {
    /// Seconds from one look to the next.
    private static let interval = 1.0
    /// What says more than this is no number.
    private static let mostBytes = 64

    private let timer: DispatchSource

    private init(_ timer: DispatchSource) {
        self.timer = timer
    }

    deinit { timer.cancel() }

    /// Sets the rate to what the file says, again and again; what it says that is no rate changes nothing.
    ///
    /// - Throws: why the file can't be read, or that it has no rate to begin with.
    static func follow(_ path: FilePath, _ limit: RateLimit) throws(Complaint) -> RateFile {
        guard let first = try read(path) else {
            throw Complaint(path, "has no number of bytes per second, such as 10M")
        }
        limit.bytesPerSecond = first
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "sluice.rate"))
        timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(100))
        timer.setEventHandler { @Sendable in
            // Whoever changes it may be in the middle of that: what is no rate now may be one a second later.
            if let next = try? read(path) { limit.bytesPerSecond = next }
        }
        timer.activate()
        return RateFile(.made(timer))
    }

    private static func read(_ path: FilePath) throws(Complaint) -> UInt64? {
        do throws(Errno) {
            let file = try Operand(path).open(isLink: true)
            defer { try? file.close() }
            var text = [UInt8](repeating: 0, count: mostBytes)
            let count = try systemCall { Glibc.read(file.rawValue, &text, text.count) }
            let words = String(decoding: text[..<count], as: UTF8.self).split(whereSeparator: \.isWhitespace)
            return words.count == 1 ? RateSetting.parse(String(words[0])) : nil
        } catch {
            throw Complaint(path, "can't read the rate: \(error.sentence)")
        }
    }
}
