import SystemPackage

extension Settings {
    /// Whether standard input has answers, and no data: somebody types there. By zstd's names answers come from
    /// anywhere, as they do for zstd.
    ///
    /// - Parameter operands: what is read.
    func canAsk(besides operands: [FilePath]) -> Bool {
        !operands.contains(Operand.standardInput)
            && (followsZstd || StandardDescriptors.isTerminal(.standardInput))
    }
}
