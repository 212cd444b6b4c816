import SluiceEngine
import Synchronization

/// The number of files that a command reads, and the sum of their sizes for the bar's percentage.
///
/// Up to a hundred files are looked up when the command starts. More, and files in directories, are looked up only when
/// the bar needs the sum: looking up ten thousand files takes as long as compressing several hundred, and most runs end
/// before a bar is shown.
final class TotalSize: Sendable {
    /// The number of files up to which they are looked up at the start, while names still mean the same files.
    private static let few = 100

    private struct Sum {
        /// Nil if a pipe or a device is among the files.
        var bytes: UInt64?
        var files = 0
    }

    private let settings: Settings
    private let start = FileIdentity.now()
    /// Bytes left in standard input at the start; 0 if it is not read, nil if unknown.
    private let standardInput: UInt64?
    /// Whether the size of standard input is only an estimate.
    let isEstimate: Bool
    /// Nil until the files are looked up.
    private let sum = Mutex<Sum?>(nil)

    /// - Parameter isShown: whether the size will be needed.
    init(_ settings: Settings, isShown: Bool) {
        self.settings = settings
        let readsStandardInput = settings.operands.contains(Operand.standardInput)
        let input = settings.input
        let own = input.commandWords == nil ? (try? Source(.standardInput))?.size : nil
        let exact = readsStandardInput ? own ?? input.streamSize : 0
        standardInput = exact ?? input.sizeHint
        isEstimate = exact == nil && input.sizeHint != nil
        // With --rm a finished file is gone, and so is its size.
        let isDue = settings.output.isRemovalAsked && (isShown || !settings.walks)
        if !settings.walks && settings.operands.count <= Self.few || isDue {
            sum.withLock { $0 = lookUp(hasBegun: false) }
        }
    }

    /// Bytes; nil if a pipe or a device is among the files. An inaccessible file counts as empty.
    var bytes: UInt64? {
        // Of the content nothing is known before it is decoded.
        if settings.input.isDecoded || settings.decoding.following != nil { return nil }
        // A server tells the size when the file is opened.
        var bytes = looked.bytes
        for path in settings.operands where settings.input.remote[path] != nil {
            guard let size = settings.input.remote.size(of: path) else { return nil }
            bytes = bytes?.addingClamped(size)
        }
        return bytes
    }

    /// The number of files.
    var files: Int {
        settings.walks || settings.input.excludesCompressed ? looked.files : settings.operands.count
    }

    private var looked: Sum {
        sum.withLock { sum in
            if let sum { return sum }
            let found = lookUp(hasBegun: true)
            sum = found
            return found
        }
    }

    /// - Parameter hasBegun: whether the run may have created files.
    private func lookUp(hasBegun: Bool) -> Sum {
        // Which bytes of a file hold a range of its content is not known beforehand.
        var sum = Sum(bytes: !settings.decoding.isExcerpt ? standardInput : nil)
        let queue = OperandQueue(settings, nil)
        while let operand = queue.next() {
            sum.files += 1
            if operand.path.isStandardInput { continue }
            guard let identity = try? operand.identity(followingLinks: true), identity.kind != .directory else {
                continue
            }
            // Files that this run has created don't count; nor do a few that are as old as the start, by a clock whose
            // ticks take milliseconds.
            if hasBegun, operand.folder != nil, identity.hasChanged(since: start) {
                sum.files -= 1
                continue
            }
            if identity.kind != .file { sum.bytes = nil }
            guard let total = sum.bytes else { continue }
            sum.bytes = total.addingClamped(bytes(of: identity))
        }
        return sum
    }

    /// Bytes of the file that will be read.
    private func bytes(of file: FileIdentity) -> UInt64 {
        guard let part = settings.command.part else { return file.size }
        let frameSize = UInt64(settings.compression.options.effectiveFrameSize)
        return UInt64(part.bytes(of: file.size, frameSize: frameSize).count)
    }
}
