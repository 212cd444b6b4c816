import Sluice
import Synchronization
import SystemPackage

/// How much all the operands hold together.
///
/// Files are looked at when somebody first wants to see it: for ten thousand of them that takes as long as the work on
/// several hundred, and most runs are over before a bar is shown.
final class TotalSize: Sendable {
    private let files: [FilePath]
    /// What standard input holds if it is an operand: from where it stands at the start.
    private let standardInput: UInt64?
    private let value = Mutex<UInt64??>(nil)

    init(_ operands: [FilePath], _ settings: Settings) {
        files = operands.filter { $0 != Input.standardInput }
        if files.count == operands.count {
            standardInput = 0
        } else {
            standardInput = (try? Source(.standardInput))?.size ?? settings.streamSize
        }
        // Those that are done with will be gone.
        if settings.removesSource { _ = bytes }
    }

    /// Nil if there are pipes or devices; what can't be read brings none.
    var bytes: UInt64? {
        value.withLock { value in
            if let value { return value }
            let sum = sum()
            value = .some(sum)
            return sum
        }
    }

    private func sum() -> UInt64? {
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
