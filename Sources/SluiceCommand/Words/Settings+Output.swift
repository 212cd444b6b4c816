import Sluice
import SystemPackage

/// Where it goes.
extension Settings {
    mutating func take(_ options: OutputOptions, _ mode: Mode, _ paths: [FilePath], _ operands: [FilePath]) {
        output =
            options.stdout
            ? .standardOutput
            : options.output.map { paths[$0] == "-" ? .standardOutput : .path(paths[$0]) } ?? .derived
        // As with zstd, where both are said.
        outputFolder =
            options.outputDirMirror.map { OutputFolder(path: paths[$0], isMirror: true) }
            ?? options.outputDirFlat.map { OutputFolder(path: paths[$0], isMirror: false) }
        isForced = options.force
        passesForeign =
            mode == .decompress
            && (options.passThrough ?? (isForced && isFilter(operands)))
        removesSource = options.source == .rm
        isSynced = options.sync
        leavesHoles = options.sparse
    }

    /// How a file's data goes to the disk if it is compressed. A run that ends only when the file is on the disk sends it
    /// there directly: a copy in the page cache would only push out what other programs use. With `--no-sync` it goes
    /// through the cache, and the kernel writes it when it likes. What is decompressed stays in the cache either way, for
    /// it is most likely read next.
    var caching: Sink.Caching { isSynced ? .bypassed : .cached }

    /// The name of a file's output, made from its own; nil if there is none, or its suffix is unknown.
    func derivedName(of path: FilePath) -> FilePath? {
        guard output == .derived, path != Input.standardInput else { return nil }
        return verb.outputName(of: path).map { outputFolder?.place(of: $0) ?? $0 }
    }

    /// Whether the data goes to standard output.
    func isFilter(_ operands: [FilePath]) -> Bool {
        output == .standardOutput
            || output == .derived && (operands == [Input.standardInput] || verb.operation.content == .both)
    }
}
