import Sluice

/// Parses words.
extension Request {
    /// - Parameters:
    ///   - words: those after the command's own name.
    ///   - followsZstd: whether that is one of zstd's.
    init(
        _ words: [[UInt8]], followsZstd: Bool = false, environment: @escaping Environment = { _ in nil }
    ) throws(Complaint) {
        self.environment = environment
        settings = Settings(command: Compress(), followsZstd: followsZstd)
        // As with zstd, a bad value is worth a word also when the command line says another.
        settings.compression.options.level = number("ZSTD_CLEVEL", "a level", isSigned: true) ?? 0
        settings.limits.chosenThreads = number("ZSTD_NBTHREADS", "a number of threads", isSigned: false) ?? 0
        var lexer = Lexer(words)
        while settings.answer == nil, let value = try lexer.next() { try hear(value) }
        settings.operands = lexer.operands
    }

    /// The number in a variable of the environment; nil if it is not set, or has no number of 32 bits, as zstd's have.
    private mutating func number(_ name: String, _ kind: String, isSigned: Bool) -> Int? {
        guard let word = environment(name) else { return nil }
        if let number = Int(word), number.magnitude <= UInt32.max, isSigned || word.first?.isNumber == true {
            return number
        }
        warn("ignoring \(name)=\(word.printable): not \(kind)")
        return nil
    }
}
