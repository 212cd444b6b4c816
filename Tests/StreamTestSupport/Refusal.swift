internal import ByteStreams
package import CFaults
internal import Dispatch
internal import Glibc
internal import Synchronization
package import SystemPackage

/// A system call that the kernel refuses, with an error, whatever it is made on.
package struct Refusal: Sendable, CustomStringConvertible {
    private let call: faults_call
    package let error: Errno
    private let flags: Flags
    package let description: String

    /// The bits of an argument by which the refused calls are told from others.
    package struct Flags: Sendable {
        package static let any = Flags(argument: 0)
        fileprivate let argument: Int32
        fileprivate let mask: UInt32
        fileprivate let bits: UInt32

        /// - Parameters:
        ///   - argument: its number, from 0 on.
        ///   - set: what it has.
        ///   - clear: what it does not have.
        package init(argument: Int32, set: Int32 = 0, clear: Int32 = 0) {
            self.argument = argument
            (mask, bits) = (UInt32(bitPattern: set | clear), UInt32(bitPattern: set))
        }
    }

    /// - Parameter name: the call, as the table in docs/decisions/output-errors.md has it.
    package init(_ name: String, _ call: faults_call, _ error: Errno, _ flags: Flags = .any) {
        (self.call, self.error, self.flags) = (call, error, flags)
        description = "\(name): \(error)"
    }

    fileprivate func begin() throws {
        guard faults_refuse(call, error.rawValue, flags.argument, flags.mask, flags.bits) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    /// Whether this system lets a thread refuse calls to itself.
    package static let areAllowed =
        (try? refusing([Refusal("lock", FAULTS_LOCK, .noLocks)]) { flock(-1, LOCK_UN) == -1 && errno == ENOLCK })
        == true
}

/// Runs a body on a thread of its own, whose calls are refused. Waits for its end.
package func refusing<Result: Sendable>(
    _ refusals: [Refusal], _ body: @escaping @Sendable () throws -> Result
) throws -> Result {
    let result = Mutex<Swift.Result<Result, any Error>?>(nil)
    let group = DispatchGroup()
    try startThread(in: group) {
        let outcome = Swift.Result { () throws -> Result in
            for refusal in refusals { try refusal.begin() }
            return try body()
        }
        result.withLock { $0 = outcome }
    }
    group.wait()
    guard let outcome = result.withLock({ $0 }) else { throw Errno.ioError }
    return try outcome.get()
}
