import SystemPackage

/// Where it goes.
extension Settings {
    mutating func take(_ options: OutputOptions, _ paths: [FilePath], _ operands: [FilePath]) {
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
            verb.heeds.contains(.passing)
            && (options.passThrough ?? (isForced && isFilter(operands)))
        removesSource = options.source == .rm
        isSynced = options.sync
        leavesHoles = options.sparse
    }
}
