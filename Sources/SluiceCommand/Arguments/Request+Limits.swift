import Sluice

/// Settles what the run may use.
extension Request {
    mutating func settleLimits() throws(Complaint) {
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
