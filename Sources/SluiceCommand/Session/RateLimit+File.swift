import Dispatch
import Glibc
import SluiceEngine

extension RateLimit {
    /// Seconds between reads of a file.
    private static let interval = 1.0
    /// The largest size of a file with a rate, in bytes.
    private static let mostBytes = 64

    /// Sets the rate from a file, now and whenever it changes, until the process ends. Later content that is not a rate
    /// is ignored.
    ///
    /// - Throws: why the file can't be read or has no rate at the start.
    func follow(_ path: FilePath) throws(Complaint) {
        guard let first = try Self.read(path) else {
            throw Complaint(path, "does not contain a rate, such as 10M")
        }
        bytesPerSecond = Int(clamping: first)
        let timer = DispatchSource.made(DispatchSource.makeTimerSource(queue: DispatchQueue(label: "sluice.rate")))
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(100))
        timer.setEventHandler { @Sendable [self] in
            // The file may be half written: it may have a rate one second later.
            if let next = try? Self.read(path) { bytesPerSecond = Int(clamping: next) }
            // Dispatch cancels a timer that nothing refers to.
            withExtendedLifetime(timer) {}
        }
        timer.activate()
    }

    private static func read(_ path: FilePath) throws(Complaint) -> UInt64? {
        let action = "read the rate"
        // Neither the start nor a timer waits for another process.
        let file = try Complaint.about(path, cant: action, Operand(path).open(isLink: true, O_NONBLOCK))
        defer { try? file.close() }
        var text = [UInt8](repeating: 0, count: mostBytes)
        let count: Int
        do throws(Errno) { count = try systemCall { Glibc.read(file.rawValue, &text, text.count) } } catch .wouldBlock {
            return nil
        } catch {
            throw Complaint(path, "can't \(action): \(error.sentence)")
        }
        let words = String(decoding: text[..<count], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words.count == 1 ? RateSetting.parse(String(words[0])) : nil
    }
}
