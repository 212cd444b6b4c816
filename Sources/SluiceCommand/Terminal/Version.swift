import CAllocator
import CJansson
import CStart
import ForeignCodec
import Glibc
import RemoteSources
import SluiceEngine
import ZstdCodec

/// The texts of `--version`.
enum Version {
    static let number = "1.0.0"
    private static var line: String { "sluice \(number) (libzstd \(libraryVersion))" }

    /// One line; with `-v`, another for each library: its name, its version, and how it comes into the process.
    static func text(verbosity: Int) -> String {
        guard verbosity > 0 else { return line }
        return ([line] + libraries.map { "\($0.name) \($0.version) \($0.origin)" }).joined(separator: "\n")
    }

    /// zstd's text, with the version of the library: programs look for it, as a whole or for the version alone (`-q`).
    static func asZstd(quietness: Int, verbosity: Int) -> String {
        if quietness > 0 { return libraryVersion }
        let greeting = "*** Zstandard CLI (\(Int.bitWidth)-bit) v\(libraryVersion), by Yann Collet ***"
        return verbosity > 0 ? "\(greeting)\n*** \(line)" : greeting
    }

    /// Asks each library, and loads those that other runs load when they need them.
    private static var libraries: [(name: String, version: String, origin: String)] {
        let linked = "(linked in)"
        // Before libcurl, which may load it.
        let isShared = dlopen("libzstd.so.1", RTLD_LAZY | RTLD_NOLOAD) != nil
        let allocator = sluice_allocator_version().map { String(cString: $0) } ?? "unknown"
        let asked =
            [("libxxhash", checksumLibraryVersion)] + foreignLibraryVersions + [
                ("jansson", String(cString: jansson_version_str())),
                // Without the commit.
                ("jemalloc", String(allocator.prefix { $0 != "-" })),
            ]
        let told = String(cString: sluice_linked_parts()).split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return (words.first.map(String.init) ?? "", words.last.map(String.init) ?? "")
        }
        return [("libzstd", libraryVersion, isShared ? "(shared)" : linked)]
            + (asked + told).map { ($0.0, $0.1, linked) }
            + [
                ("libisal", IsalLibrary.version ?? "not found", "(loaded for gzip)"),
                ("libcurl", RemoteClient.libraryVersion ?? "not found", "(loaded for URLs)"),
                ("libcrypto", HashFunction.libraryVersion ?? "not found", "(loaded for --hash)"),
            ]
    }
}
