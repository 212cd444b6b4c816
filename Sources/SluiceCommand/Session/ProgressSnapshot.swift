import SluiceEngine

/// The progress of a command, with units in the names: a line of `--progress=json`.
struct ProgressSnapshot {
    /// The file being read, the command, or the label; absent for standard input.
    var file: String?
    /// What a bar shows in its place: standard input has the name of its output.
    var name: String?
    /// The bytes of its name, if they are not UTF-8.
    var fileBase64: String?
    var filesDone = 0
    var files = 1
    var bytesIn: UInt64 = 0
    /// Bytes of the input that have become `bytesOut`; before there are any, those that are processed.
    var bytesDone: UInt64 = 0
    /// Bytes that have been written, or have passed a test.
    var bytesOut: UInt64 = 0
    /// Bytes of the whole input, if known.
    var totalBytes: UInt64?
    /// Whether `totalBytes` is only an estimate.
    var isEstimate = false
    /// Decompressed bytes per second, over about two seconds.
    var currentBytesPerSecond = 0.0
    /// Decompressed bytes per second, from the start.
    var averageBytesPerSecond = 0.0
    var elapsedSeconds = 0.0
    /// Estimated seconds until the end, if the total is known.
    var remainingSeconds: Double?
    /// Seconds since the last progress, if they are noticeable and no worker is busy.
    var stalledSeconds: Double?
    /// The filled share of the buffer, 0 to 1, if there is one.
    var bufferFill: Double?
    /// The decompressed size divided by the compressed one, of `bytesDone` and `bytesOut`; absent where they are not of
    /// the same content, and when copying.
    var ratio: Double?
    /// The share of the total that is done, 0 to 1, if known.
    var fraction: Double?

    /// The current level, if it adapts.
    var level: Int?

    /// The name with control characters made harmless.
    var printableName: String? { (name ?? file).map { FilePath($0).printable } }

    /// The most that an estimate of the size can tell: only the end of the input is the end.
    private static let mostByEstimate = 0.99

    /// Sets the fraction for this many bytes of the input; a source that grew stays at the end.
    ///
    /// - Parameter isEnd: whether everything is done, however little of the input that took.
    mutating func reach(_ bytes: UInt64, isEnd: Bool = false) {
        let most = isEstimate ? Self.mostByEstimate : 1
        fraction = totalBytes.map { isEnd || $0 == 0 ? 1 : min(most, Double(bytes) / Double($0)) }
    }

    /// Estimates the seconds until the end, from the fraction and the time that it took: the rest will be as fast. An
    /// input that exceeds the estimate of its size has none.
    mutating func estimateRemaining() {
        if let fraction, !isEstimate || fraction < Self.mostByEstimate {
            remainingSeconds = max(0, elapsedSeconds / fraction - elapsedSeconds)
        }
    }
}

/// As docs/statistics.md describes it.
extension ProgressSnapshot: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("averageBytesPerSecond", averageBytesPerSecond)
            json.entry("bufferFill", bufferFill)
            json.entry("bytesDone", bytesDone)
            json.entry("bytesIn", bytesIn)
            json.entry("bytesOut", bytesOut)
            json.entry("currentBytesPerSecond", currentBytesPerSecond)
            json.entry("elapsedSeconds", elapsedSeconds)
            json.entry("file", file)
            json.entry("fileBase64", fileBase64)
            json.entry("files", files)
            json.entry("filesDone", filesDone)
            json.entry("fraction", fraction)
            json.entry("level", level)
            json.entry("ratio", ratio)
            json.entry("remainingSeconds", remainingSeconds)
            json.entry("stalledSeconds", stalledSeconds)
            json.entry("totalBytes", totalBytes)
            json.entry("totalIsEstimate", isEstimate ? true : nil)
        }
    }
}
