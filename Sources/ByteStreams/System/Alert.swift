internal import CKernel
internal import Glibc
internal import SystemPackage

/// What wakes a thread out of `poll`, once and for all.
final class Alert: Sendable {
    /// Has something to read from when the alert was given.
    let descriptor: Int32
    private let writer: Int32

    /// - Throws: that there are no descriptors left.
    init() throws(Errno) {
        var ends: (Int32, Int32) = (-1, -1)
        guard sluice_make_wake_pipe(&ends.0, &ends.1) == 0 else { throw Errno(rawValue: errno) }
        (descriptor, writer) = ends
    }

    deinit {
        close(descriptor)
        close(writer)
    }

    /// Any thread may give it, at any time.
    func give() {
        var byte: UInt8 = 0
        _ = write(writer, &byte, 1)
    }
}
