import Sluice

/// Converts between names of files and of their compressed forms.
enum FileName {
    private static let suffixes = [
        (".zst", ""), (".zstd", ""), (".tzst", ".tar"), (".gz", ""), (".tgz", ".tar"), (".xz", ""), (".txz", ".tar"),
        (".lzma", ""), (".tlz", ".tar"), (".lz4", ""), (".tlz4", ".tar"),
    ]

    /// The suffixes that `decompressed` removes.
    static var knownSuffixes: [String] { suffixes.map(\.0) }

    static func compressed(_ path: FilePath) -> FilePath {
        path.replacingLastComponent { $0 + Array(".zst".utf8) }
    }

    /// `FILE` for `FILE.zst`, `FILE.tar` for `FILE.tzst`, and likewise for the other formats that can be read; nil for
    /// other names.
    static func decompressed(_ path: FilePath) -> FilePath? {
        for (suffix, replacement) in suffixes {
            guard let name = path.lastComponent?.bytes, name.count > suffix.utf8.count,
                name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
            else { continue }
            return path.replacingLastComponent { Array($0.dropLast(suffix.utf8.count)) + Array(replacement.utf8) }
        }
        return nil
    }
}

extension FilePath {
    fileprivate func replacingLastComponent(_ change: ([UInt8]) -> [UInt8]) -> FilePath {
        guard let name = lastComponent else { return self }
        return Component(bytes: change(name.bytes)).map { parent.appending($0) } ?? self
    }
}
