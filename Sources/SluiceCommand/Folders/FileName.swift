import SluiceEngine
import SystemPackage

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

    /// `FILE.repaired.zst` for `FILE.zst`; `FILE.repaired` for a name without a suffix of Zstandard.
    static func repaired(_ path: FilePath) -> FilePath {
        path.replacingLastComponent { name in
            let suffix =
                isZstandard(path) ? Array(name[(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)...]) : []
            return Array(name.dropLast(suffix.count)) + Array(".repaired".utf8) + suffix
        }
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

    /// Whether a file is Zstandard's according to its suffix.
    static func isZstandard(_ path: FilePath) -> Bool {
        ["zst", "zstd", "tzst"].contains(path.lastComponent?.extension)
    }
}

extension FilePath {
    fileprivate func replacingLastComponent(_ change: ([UInt8]) -> [UInt8]) -> FilePath {
        guard let name = lastComponent else { return self }
        return Component(bytes: change(name.bytes)).map { parent.appending($0) } ?? self
    }
}

extension FileName {
    /// The suffixes for `--exclude-compressed`: those of zstd 1.5.4, then those added in 1.5.7.
    private static let compressedSuffixes: Set<String> = [
        "zst", "tzst", "gz", "tgz", "lzma", "xz", "txz", "lz4", "tlz4",
        "7z", "aa3", "aac", "aar", "ace", "alac", "ape", "apk", "apng", "arc", "archive", "arj", "ark", "asf", "avi",
        "avif", "ba", "br", "bz2", "cab", "cdx", "chm", "cr2", "divx", "dmg", "dng", "docm", "docx", "dotm", "dotx",
        "dsft", "ear", "eftx", "emz", "eot", "epub", "f4v", "flac", "flv", "gho", "gif", "gifv", "gnp", "iso", "jar",
        "jpeg", "jpg", "jxl", "lz", "lzh", "m4a", "m4v", "mkv", "mov", "mp2", "mp3", "mp4", "mpa", "mpc", "mpe", "mpeg",
        "mpg", "mpl", "mpv", "msi", "odp", "ods", "odt", "ogg", "ogv", "otp", "ots", "ott", "pea", "png", "pptx", "qt",
        "rar", "s7z", "sfx", "sit", "sitx", "sqx", "svgz", "swf", "tbz2", "tib", "tlz", "vob", "war", "webm", "webp",
        "wma", "wmv", "woff", "woff2", "wvl", "xlsx", "xpi", "xps", "zip", "zipx", "zoo", "zpaq",
    ]

    /// Whether a file is compressed according to its last suffix, in lower case.
    static func isCompressed(_ path: FilePath) -> Bool {
        path.lastComponent?.extension.map(compressedSuffixes.contains) ?? false
    }
}

extension FilePath {
    /// A path from a command line or list.
    ///
    /// A trailing slash, which marks a directory, is kept as `/.`, because `FilePath` would drop it.
    init(word bytes: [UInt8]) {
        let slash = UInt8(ascii: "/")
        let isFolder = bytes.last == slash && bytes.contains { $0 != slash }
        let word = isFolder ? bytes + [UInt8(ascii: ".")] : bytes
        self = (word.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            $0.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
        }
    }
}
