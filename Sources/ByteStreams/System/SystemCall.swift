internal import Glibc
package import SystemPackage

/// Makes a system call, again as long as a signal interrupts it.
///
/// - Returns: what the call returned, which is not negative.
/// - Throws: its error.
@discardableResult
package func systemCall<Number: SignedInteger>(_ call: () -> Number) throws(Errno) -> Number {
    while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { throw Errno(rawValue: errno) }
    }
}
