import SystemPackage

/// Which files are read.
extension Settings {
    mutating func take(_ options: InputOptions, _ paths: [FilePath]) {
        isRecursive = options.recursive
        excludesCompressed = options.excludeCompressed
        fileLists = options.filelist.map { paths[$0] }
    }
}
