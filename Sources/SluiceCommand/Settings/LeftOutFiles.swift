import SluiceEngine

/// Which files of directories are left out, because an earlier run has done them, or they are none of ours.
enum LeftOut {
    case none
    /// Those with a suffix of Zstandard: they would be compressed once more.
    case compressed
    /// Those without a suffix of a format that can be read.
    case others
    /// Both: what is Zstandard already can't be made beside itself.
    case anew
}

extension InputSettings {
    /// Whether `--exclude-compressed` excludes the file.
    func excludes(_ path: FilePath) -> Bool { excludesCompressed && FileName.isCompressed(path) }

    /// Whether a file that is found in a directory is read.
    func takes(_ path: FilePath) -> Bool { !excludes(path) && !leavesOut(path) }

    /// Whether a file that was found in a directory is left out.
    func leavesOut(_ path: FilePath) -> Bool {
        switch leftOut {
        case .none: false
        case .compressed: FileName.isZstandard(path)
        case .others: FileName.decompressed(path) == nil
        case .anew: FileName.decompressed(path) == nil || FileName.isZstandard(path)
        }
    }
}
