import Sluice
import SystemPackage

/// How far a command is, in numbers with their units in their names: a line of `--progress=json`.
struct ProgressSnapshot: Codable, Equatable {
    /// The file that is read, absent for standard input, or the name that was given.
    var file: String?
    /// The bytes of its name, if they are not UTF-8.
    var fileBase64: String?
    var filesDone = 0
    var files = 1
    var bytesIn: UInt64 = 0
    /// Bytes of the input that have become `bytesOut`; before there are any, those that are done with.
    var bytesDone: UInt64 = 0
    /// Bytes that have arrived where they go, or passed a test.
    var bytesOut: UInt64 = 0
    /// Bytes that will be read, if that is known.
    var totalBytes: UInt64?
    /// Decompressed bytes per second, over about two seconds.
    var currentBytesPerSecond = 0.0
    /// Decompressed bytes per second, from the start.
    var averageBytesPerSecond = 0.0
    var elapsedSeconds = 0.0
    /// Seconds until the end, if the total is known.
    var remainingSeconds: Double?
    /// Seconds since anything flowed, once it is noticeable and no worker is busy.
    var stalledSeconds: Double?
    /// How much of the buffer is full, 0 to 1, if there is one.
    var bufferFill: Double?
    /// The decompressed one of `bytesDone` and `bytesOut` over the other; absent when nothing is compressed.
    var ratio: Double?
    /// How much of the total is done with, 0 to 1, if that is known.
    var fraction: Double?

    /// The level of what was compressed last, if the level adapts.
    var level: Int?

    /// The file's name, fit to be printed.
    var printableFile: String? { file.map { FilePath($0).printable } }

    /// So many bytes of the input are done with: a source that grew stays at the end.
    mutating func reach(_ bytes: UInt64) {
        fraction = totalBytes.map { $0 == 0 ? 1 : min(1, Double(bytes) / Double($0)) }
    }
}
