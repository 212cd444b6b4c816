import Sluice
import Synchronization
import SystemPackage
import ZstdCodec

/// How many files a command reads, and the sum of their sizes, of which the bar shows a percentage.
///
/// A hundred files are looked at when the command starts. More, and those in folders, are looked at only when the bar
/// needs the sum: to ask for the sizes of ten thousand files takes as long as to compress several hundred, and most
/// runs end before a bar is shown.
final class TotalSize: Sendable {
    /// So few are looked at when the command starts, for later a name may be another file's.
    private static let few = 100

    private struct Sum {
        /// Nil if a pipe or a device is among the files.
        var bytes: UInt64?
        var files = 0
    }

    private let operands: [FilePath]
    private let settings: Settings
    private let walks: Bool
    private let start = FileIdentity.now()
    /// Bytes that are left in standard input at the start; 0 if it is not read, nil if that can't be told.
    private let standardInput: UInt64?
    /// Nil until the files were looked at.
    private let sum = Mutex<Sum?>(nil)

    /// - Parameter isShown: whether the sum will be asked for.
    init(_ operands: [FilePath], _ settings: Settings, isShown: Bool) {
        self.operands = operands
        self.settings = settings
        walks = settings.walks(operands)
        let readsStandardInput = operands.contains(Operand.standardInput)
        standardInput = readsStandardInput ? (try? Source(.standardInput))?.size ?? settings.input.streamSize : 0
        // With --rm a file that is done is gone, and has no size any more.
        let isDue = settings.output.removesSource && (isShown || !walks)
        if !walks && operands.count <= Self.few || isDue { _ = looked }
    }

    /// Bytes; nil if a pipe or a device is among the files. A file that can't be looked at counts as empty.
    var bytes: UInt64? { looked.bytes }

    /// How many files there are.
    var files: Int { walks || settings.input.excludesCompressed ? looked.files : operands.count }

    private var looked: Sum {
        sum.withLock { sum in
            if let sum { return sum }
            let found = lookUp()
            sum = found
            return found
        }
    }

    private func lookUp() -> Sum {
        // How much is read for a part, nobody knows before.
        var sum = Sum(bytes: settings.decoding.ranges.isEmpty ? standardInput : nil)
        let queue = OperandQueue(operands, settings, nil)
        while let operand = queue.next() {
            sum.files += 1
            if operand.path == Operand.standardInput { continue }
            guard let identity = try? operand.identity(followingLinks: true), identity.kind != .directory else {
                continue
            }
            // What this run has made meanwhile is none of its files.
            if operand.folder != nil, identity.hasChanged(since: start) {
                sum.files -= 1
                continue
            }
            if identity.kind != .file { sum.bytes = nil }
            guard let total = sum.bytes else { continue }
            let (bytes, isTooMuch) = total.addingReportingOverflow(settings.bytes(of: identity))
            sum.bytes = isTooMuch ? .max : bytes
        }
        return sum
    }
}

extension Settings {
    /// Bytes of a file that are read.
    fileprivate func bytes(of file: FileIdentity) -> UInt64 {
        guard let bytes = part.share?.bytes(of: file.size, frameSize: UInt64(compression.options.frameSize)) else {
            return file.size
        }
        return bytes.upperBound - bytes.lowerBound
    }
}
