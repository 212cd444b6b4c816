import Sluice
import Synchronization
import SystemPackage

/// How much all the operands hold together.
///
/// Many are looked at only when somebody wants to see the sum: for ten thousand that takes as long as the work on several
/// hundred, and most runs are over before a bar is shown.
final class TotalSize: Sendable {
    /// So few are looked at from the start: a name may be another file's later.
    private static let few = 100

    private let files: [FilePath]
    /// What standard input holds if it is an operand: from where it stands at the start.
    private let standardInput: UInt64?
    /// None until they were looked at; what was found may be that there is no sum.
    private let sum = Mutex<UInt64??>(.none)

    init(_ operands: [FilePath], _ settings: Settings) {
        files = operands.filter { $0 != Input.standardInput }
        if files.count == operands.count {
            standardInput = 0
        } else {
            standardInput = (try? Source(.standardInput))?.size ?? settings.streamSize
        }
        // With --rm those that are done with are gone.
        if files.count <= Self.few || settings.removesSource { _ = bytes }
    }

    /// Nil if there are pipes or devices; what can't be read brings none.
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
