import Sluice

/// Settles what the run may use.
extension Request {
    /// As for zstd, a larger number means this one. libzstd takes 256 for a single frame (`ZSTDMT_NBWORKERS_MAX`).
    private static let mostThreads = 1024

    mutating func settleLimits() throws(Complaint) {
        settings.limits.chosenThreads = settings.limits.chosenThreads.flatMap {
            $0 > 0 ? min($0, Self.mostThreads) : nil
        }
        let limits = [settings.limits.memory, try acceptedWindow()]
        settings.decoding.chosenWindowLimit = limits.compactMap(\.self).max()
    }

    /// The window that options for compression ask for. As for zstd, it is accepted where frames are decoded.
    private func acceptedWindow() throws(Complaint) -> UInt64? {
        let asked = settings.compression.options.parameters[.windowLog].flatMap { $0 > 0 ? $0 : nil }
        // What is compressed is checked with its other parameters, and nothing else that moves no data looks at it.
        if let asked, heeds(.data), !heeds(.parameters) {
            var window = CompressionOptions()
            window.parameters[.windowLog] = asked
            try Self.check(window)
        }
        return (asked ?? settings.compression.options.longWindowLog).map {
            $0 < UInt64.bitWidth ? 1 << UInt64($0) : .max
        }
    }
}
