internal import CIsal

/// ISA-L, the library that decodes gzip where it is installed. It is loaded when it is asked for.
package enum IsalLibrary {
    /// Whether it is there, and does with a little data what it should. Part of that is handing over to zlib in the
    /// middle, for which the state of its decoder is read, whose layout another version may change.
    package static let isUsable = sluice_isal_load() && isTrustworthy()

    /// The version, such as `2.0.30` of ISA-L 2.30; nil if there is no library that can be used.
    package static var version: String? { isUsable ? String(cString: sluice_isal_version()) : nil }

    private static func isTrustworthy() -> Bool { (try? IsalTrials().run()) == true }
}

/// What decodes gzip.
package enum GzipLibrary: CaseIterable {
    case isal, zlib

    /// - Throws: `outOfMemory`.
    package func makeDecoder() throws(ForeignFailure) -> any ForeignDecoder {
        switch self {
        case .isal: try IsalGzipDecoder()
        case .zlib: try GzipDecoder()
        }
    }
}
