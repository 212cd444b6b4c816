import SystemPackage

extension Settings {
    /// The console, if it may ask: standard input carries no data, and is a terminal. With zstd's names answers come
    /// from anywhere, as they do for zstd.
    func asking(_ console: Console, besides operands: [FilePath]) -> Console? {
        let hasAnswers =
            !operands.contains(Operand.standardInput)
            && (followsZstd || StandardDescriptors.isTerminal(.standardInput))
        return hasAnswers && reporting.quietness == 0 ? console : nil
    }
}
