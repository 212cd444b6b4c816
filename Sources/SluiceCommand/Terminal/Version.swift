import CAllocator
internal import CJansson
import ForeignCodec
import ZstdCodec

/// The texts of `--version`.
enum Version {
    static let number = "1.0.0"
    static var line: String { "sluice \(number) (libzstd \(libraryVersion))" }

    /// With `-v`, also the libraries in use, most of which are linked in, by name.
    static func text(verbosity: Int) -> String {
        if verbosity == 0 { return line }
        let allocator = String(cString: sluice_allocator_version()).prefix { $0 != "-" }
        let others = [
            ("jansson", JANSSON_VERSION), ("jemalloc", String(allocator)), ("libxxhash", checksumLibraryVersion),
        ]
        let libraries = (foreignLibraries + others).sorted { $0.0 < $1.0 }
        return "\(line)\nwith " + libraries.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    /// zstd's text, with the version of the library: programs look for it, as a whole or for the version alone (`-q`).
    static func asZstd(quietness: Int, verbosity: Int) -> String {
        if quietness > 0 { return libraryVersion }
        let greeting = "*** Zstandard CLI (\(Int.bitWidth)-bit) v\(libraryVersion), by Yann Collet ***"
        return verbosity > 0 ? "\(greeting)\n*** \(line)" : greeting
    }
}
