internal import CKernel
internal import Dispatch
internal import Glibc
internal import SystemPackage

/// Waits until a pipe, socket, terminal or device has something to read, or is told to stop waiting.
///
/// A read is asked of Dispatch only for what is already there. Asked for more, libdispatch would wait with epoll, and a
/// hang-up of the producer at the wrong moment ends in a use after free there (trap 12 in docs/dispatch-on-linux.md).
final class Readiness: Sendable {
    private let descriptor: FileDescriptor
    private let wakeReader: Int32
    private let wakeWriter: Int32

    /// - Throws: `reading` if there are no descriptors left.
    init(of descriptor: FileDescriptor) throws(Failure) {
        var ends: (Int32, Int32) = (-1, -1)
        guard sluice_make_wake_pipe(&ends.0, &ends.1) == 0 else { throw .reading(Errno(rawValue: errno)) }
        self.descriptor = descriptor
        (wakeReader, wakeWriter) = ends
    }

    deinit {
        close(wakeReader)
        close(wakeWriter)
    }

    /// Ends the waiting, now and for ever.
    func cancel() {
        var byte: UInt8 = 0
        _ = write(wakeWriter, &byte, 1)
    }

    /// Waits until there is something to read, or the input has ended.
    ///
    /// - Returns: how many bytes can be read without waiting: 1 stands for an end or an error, which the read will tell,
    ///   and nil is returned at the deadline or after `cancel`.
    func wait(until deadline: DispatchTime?) -> Int? {
        while true {
            var entries = [
                pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&entries, 2, Self.milliseconds(until: deadline))
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count == 0 || entries[1].revents != 0 { return nil }
            var available: Int32 = 0
            // Devices that can't tell, such as /dev/zero, do not keep anybody waiting either.
            guard ioctl(descriptor.rawValue, UInt(FIONREAD), &available) == 0 else { return .max }
            return max(1, Int(available))
        }
    }

    private static func milliseconds(until deadline: DispatchTime?) -> Int32 {
        guard let deadline else { return -1 }
        let now = DispatchTime.now().uptimeNanoseconds
        guard deadline.uptimeNanoseconds > now else { return 0 }
        return Int32(clamping: (deadline.uptimeNanoseconds - now) / 1_000_000 + 1)
    }
}
