import SluiceEngine

/// Prints the parameters that libzstd has for the level (`--show-default-cparams`), in zstd's format.
enum DefaultParameters {
    /// The names of `ZSTD_strategy`, from 1.
    private static let strategies = [
        "fast", "dfast", "greedy", "lazy", "lazy2", "btlazy2", "btopt", "btultra", "btultra2",
    ]

    static func show(_ settings: Settings, _ console: Console) {
        let level = settings.compression.options.level
        let dictionarySize = settings.references.dictionaryContent?.bytes.count ?? 0
        for operand in settings.operands {
            let file = Operand.identity(of: operand).flatMap { $0.kind == .file ? $0 : nil }
            let size = operand.isStandardInput ? nil : file?.size
            guard let level = LevelParameters(level: level, contentSize: size, dictionarySize: dictionarySize) else {
                return console.warn("this libzstd does not reveal the parameters of a level")
            }
            let name = operand.isStandardInput ? "/*stdin*\\" : operand.printable
            console.write("\(name) (\(size.map { "\($0) bytes" } ?? "src size unknown"))\n" + lines(level))
        }
    }

    private static func lines(_ level: LevelParameters) -> String {
        let strategy = strategies.indices.contains(level[.strategy] - 1) ? strategies[level[.strategy] - 1] : "unknown"
        return """
             - windowLog     : \(level[.windowLog])
             - chainLog      : \(level[.chainLog])
             - hashLog       : \(level[.hashLog])
             - searchLog     : \(level[.searchLog])
             - minMatch      : \(level[.minMatch])
             - targetLength  : \(level[.targetLength])
             - strategy      : ZSTD_\(strategy) (\(level[.strategy]))

            """
    }
}
