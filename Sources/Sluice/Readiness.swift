internal import CKernel
internal import Dispatch
internal import Glibc
internal import SystemPackage

/// Waits until a pipe, socket, terminal or device has something to read, or is told to stop waiting.
///
/// A read is asked of Dispatch only for what is already there. Asked for more, libdispatch would wait with epoll, and a
/// hang-up of the producer at the wrong moment ends in a use after free there (trap 12 in docs/dispatch-on-linux.md).
final class Readiness: Sendable {
    /// Less than this is waited for a little longer, in bytes.
    private static let smallSize = 64 << 10
    /// How much longer, in milliseconds: what comes at 1 GB/s fills a pipe of 1 MiB in that time.
    private static let pause: Int32 = 1

    private let descriptor: FileDescriptor
    /// Whether a producer can go on for that long: a pipe that is full earlier would keep it waiting.
    private let isRoomy: Bool
    private let wakeReader: Int32
    private let wakeWriter: Int32

    /// - Throws: `reading` if there are no descriptors left.
    init(of descriptor: FileDescriptor) throws(Failure) {
        var ends: (Int32, Int32) = (-1, -1)
        guard sluice_make_wake_pipe(&ends.0, &ends.1) == 0 else { throw .reading(Errno(rawValue: errno)) }
        self.descriptor = descriptor
        isRoomy = descriptor.widenPipe()
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
    /// A producer that writes in small pieces, as tar does, gets a moment to write some more: a read of each piece would
    /// cost more than the work on it.
    ///
    /// - Parameter count: how many bytes are wanted.
    /// - Returns: how many bytes can be read without waiting: 1 stands for an end or an error, which the read will tell,
    ///   and nil is returned at the deadline or after `cancel`.
    func wait(for count: Int, until deadline: DispatchTime?) -> Int? {
        var isPatient = isRoomy
        while true {
            var entries = [
                pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&entries, 2, Self.milliseconds(until: deadline))
            if ready < 0, errno == EINTR || errno == EAGAIN { continue }
            if ready == 0 || entries[0].revents != 0 { return nil }
            var available: Int32 = 0
            // Devices that can't tell, such as /dev/zero, do not keep anybody waiting either.
            guard ioctl(descriptor.rawValue, UInt(FIONREAD), &available) == 0 else { return .max }
            guard isPatient, entries[1].revents == POLLIN, available < min(count, Self.smallSize) else {
                return max(1, Int(available))
            }
            isPatient = false
            _ = poll(&entries, 1, Self.pause)
        }
    }

    private static func milliseconds(until deadline: DispatchTime?) -> Int32 {
        guard let deadline else { return -1 }
        let now = DispatchTime.now().uptimeNanoseconds
        guard deadline.uptimeNanoseconds > now else { return 0 }
        return Int32(clamping: (deadline.uptimeNanoseconds - now) / 1_000_000 + 1)
    }
}
