import Sluice

/// Parses words.
extension Request {
    /// - Parameters:
    ///   - words: those after the command's own name.
    ///   - followsZstd: whether that is one of zstd's.
    init(_ words: [[UInt8]], followsZstd: Bool = false) throws(UsageError) {
        self.init(followsZstd: followsZstd)
        var lexer = Lexer(words)
        while let word = try lexer.next() {
            switch word {
            case .operand(let path): operands.append(path)
            case .flag(let value):
                try hear(value)
                if answer != nil { return }
            }
        }
    }

    /// Applies an option that was not typed, but that another one implies.
    mutating func imply(_ name: String, spelled spelling: String) throws(UsageError) {
        guard let (flag, isOn) = Flag.named(name.utf8) else { return }
        try hear(FlagValue(flag: flag, spelling: spelling, isOn: isOn))
    }
}
