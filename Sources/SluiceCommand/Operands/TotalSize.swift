import Sluice
import Synchronization
import SystemPackage

/// The sum of the sizes of all files that a command reads, of which the bar shows a percentage.
///
/// A hundred files are looked at when the command starts. More are looked at only when the bar needs the sum: to ask for
/// the sizes of ten thousand files takes as long as to compress several hundred, and most runs end before a bar is shown.
final class TotalSize: Sendable {
    /// So few are looked at when the command starts, for later a name may be another file's.
    private static let few = 100

    private let files: [FilePath]
    /// Bytes that are left in standard input at the start; 0 if it is not read, nil if that can't be told.
    private let standardInput: UInt64?
    /// The sum, nil where there is none; `.none` until the files were looked at.
    private let sum = Mutex<UInt64??>(.none)

    init(_ operands: [FilePath], _ settings: Settings) {
        files = operands.filter { $0 != Input.standardInput }
        if files.count == operands.count {
            standardInput = 0
        } else {
            standardInput = (try? Source(.standardInput))?.size ?? settings.streamSize
        }
        // With --rm a file that is done is gone, and has no size any more.
        if files.count <= Self.few || settings.removesSource { _ = bytes }
    }

    /// Bytes; nil if a pipe or a device is among the files. A file that can't be looked at counts as empty.
    var bytes: UInt64? {
        sum.withLock { sum in
            if let sum { return sum }
            let found = lookUp()
            sum = .some(found)
            return found
        }
    }

    private func lookUp() -> UInt64? {
        guard var total = standardInput else { return nil }
        for file in files {
            guard let identity = try? FileIdentity(at: file), identity.kind != .directory else { continue }
            guard identity.kind == .file else { return nil }
            let (sum, isTooMuch) = total.addingReportingOverflow(identity.size)
            total = isTooMuch ? .max : sum
        }
        return total
    }
}
