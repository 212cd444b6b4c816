import Sluice
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

    private let operands: [FilePath]
    private let input: InputSettings
    private let measure: (@Sendable (FileIdentity) -> UInt64)?
    private let walks: Bool
    private let start = FileIdentity.now()
    /// Bytes left in standard input at the start; 0 if it is not read, nil if unknown.
    private let standardInput: UInt64?
    /// Nil until the files are looked up.
    private let sum = Mutex<Sum?>(nil)

    /// - Parameters:
    ///   - isDue: whether any number of files is looked up at the start.
    ///   - measure: the bytes of a file that will be read; nil if that is unknown beforehand.
    init(
        _ operands: [FilePath], _ input: InputSettings, isDue: Bool, measure: (@Sendable (FileIdentity) -> UInt64)?
    ) {
        (self.operands, self.input, self.measure) = (operands, input, measure)
        walks = input.walks(operands)
        let readsStandardInput = operands.contains(Operand.standardInput)
        standardInput = readsStandardInput ? (try? Source(.standardInput))?.size ?? input.streamSize : 0
        if !walks && operands.count <= Self.few || isDue { _ = looked }
    }

    /// Bytes; nil if a pipe or a device is among the files. An inaccessible file counts as empty.
    var bytes: UInt64? { looked.bytes }

    /// The number of files.
    var files: Int { walks || input.excludesCompressed ? looked.files : operands.count }

    private var looked: Sum {
        sum.withLock { sum in
            if let sum { return sum }
            let found = lookUp()
            sum = found
            return found
        }
    }

    private func lookUp() -> Sum {
        var sum = Sum(bytes: measure == nil ? nil : standardInput)
        let queue = OperandQueue(operands, input, nil)
        while let operand = queue.next() {
            sum.files += 1
            if operand.path == Operand.standardInput { continue }
            guard let identity = try? operand.identity(followingLinks: true), identity.kind != .directory else {
                continue
            }
            // Files that this run has created meanwhile don't count.
            if operand.folder != nil, identity.hasChanged(since: start) {
                sum.files -= 1
                continue
            }
            if identity.kind != .file { sum.bytes = nil }
            guard let total = sum.bytes, let measure else { continue }
            let (bytes, isTooMuch) = total.addingReportingOverflow(measure(identity))
            sum.bytes = isTooMuch ? .max : bytes
        }
        return sum
    }
}

extension Settings {
    /// - Parameter isShown: whether the size will be needed.
    func totalSize(of operands: [FilePath], isShown: Bool) -> TotalSize {
        let (share, frameSize) = (command.share, UInt64(compression.options.effectiveFrameSize))
        let measure = { @Sendable (file: FileIdentity) in
            share.map { UInt64($0.bytes(of: file.size, frameSize: frameSize).count) } ?? file.size
        }
        // With --rm a finished file is gone, and so is its size.
        return TotalSize(
            operands, input, isDue: output.removesSource && (isShown || !input.walks(operands)),
            measure: decoding.ranges.isEmpty ? measure : nil)
    }
}
