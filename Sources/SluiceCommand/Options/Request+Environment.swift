import SluiceEngine

extension Request {
    /// Applies the variables that zstd knows. As there, a bad value is reported even if the command line sets another.
    mutating func hearEnvironment() {
        settings.compression.options.level = number("ZSTD_CLEVEL", "a level", isSigned: true) ?? 0
        settings.limits.chosenThreads = number("ZSTD_NBTHREADS", "a number of threads", isSigned: false) ?? 0
    }

    /// The number in an environment variable; nil if it is not set, or is not a number of 32 bits, as zstd's are.
    private mutating func number(_ name: String, _ kind: String, isSigned: Bool) -> Int? {
        guard let word = environment(name) else { return nil }
        if let number = Int(word), number.magnitude <= UInt32.max, isSigned || word.first?.isNumber == true {
            return number
        }
        warn("ignoring \(name)=\(word.withoutSecrets.printable): not \(kind)")
        return nil
    }
}
