extension CompressionOptions {
    /// All that the bytes of a frame depend on besides its content, on one line: these options, and the libzstd that
    /// runs.
    package var recipe: String {
        let numbers = parameters.map { "\($0)=\($1)" }.sorted()
        let others = [
            longWindowLog.map { "long=\($0)" }, hasChecksum ? nil : "no-check",
            alignment.map { "align=\($0)" },
            hasContentSize ? nil : "no-content-size", cutsByContent ? "rsyncable" : nil,
            adaptiveLevels.map { "adapt=\($0)" },
        ]
        let words = ["zstd-\(libraryVersion)", "level=\(level)", "frame-size=\(frameSize)"]
        return (words + others.compactMap(\.self) + numbers).joined(separator: " ")
    }
}
