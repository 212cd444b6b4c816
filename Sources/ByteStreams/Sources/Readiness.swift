internal import Dispatch
internal import Glibc
internal import SystemPackage

/// Waits until a pipe, socket, terminal or device has something to read, or is told to stop waiting.
///
/// A read is asked of Dispatch only for what is already there. Asked for more, libdispatch would wait with epoll, and a
/// hang-up of the producer at the wrong moment ends in a use after free there (trap 12 in docs/dispatch-on-linux.md).
final class Readiness: Sendable {
    /// Less than this is waited for a little longer, in bytes: half of a pipe.
    private static let enough = 512 << 10
    /// How much longer, as long as it becomes more, in microseconds.
    private static let pause: UInt32 = 120
    /// Of all of them, a producer of 1 GB/s has filled the pipe.
    private static let mostPauses = 8

    private let descriptor: FileDescriptor
    /// Whether a producer can go on for that long: a pipe that is full earlier would keep it waiting.
    private let isRoomy: Bool
    private let alert: Alert

    /// - Parameter mayWiden: whether a pipe may be made to hold more.
    /// - Throws: `reading` if there are no descriptors left.
    init(of descriptor: FileDescriptor, mayWiden: Bool = true) throws(Failure) {
        alert = try Failure.reading { () throws(Errno) in try Alert() }
        self.descriptor = descriptor
        isRoomy = mayWiden && descriptor.widenPipe()
    }

    /// Ends the waiting, now and for ever.
    func cancel() { alert.give() }

    /// Waits until there is something to read, or the input has ended.
    ///
    /// A producer that writes in pieces, as tar and cat do, gets a moment to write some more. A read of each piece
    /// would cost more than the work on it, and a pipe that both ends use at once keeps each busy waiting for its lock.
    ///
    /// - Parameter count: how many bytes are wanted.
    /// - Returns: how many bytes can be read without waiting: 1 stands for an end or an error, which the read will
    ///   tell, and nil is returned at the deadline or after `cancel`.
    func wait(for count: Int, until deadline: DispatchTime?) -> Int? {
        var (pauses, seen) = (isRoomy ? Self.mostPauses : 0, Int32(0))
        while true {
            var entries = [
                pollfd(fd: alert.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&entries, 2, Self.milliseconds(until: deadline))
            if ready < 0, errno == EINTR || errno == EAGAIN { continue }
            if ready == 0 || entries[0].revents != 0 { return nil }
            var available: Int32 = 0
            // Devices that can't tell, such as /dev/zero, do not keep anybody waiting either.
            guard ioctl(descriptor.rawValue, UInt(FIONREAD), &available) == 0 else { return .max }
            guard pauses > 0, entries[1].revents == POLLIN, available > seen, available < min(count, Self.enough) else {
                return max(1, Int(available))
            }
            (pauses, seen) = (pauses - 1, available)
            usleep(Self.pause)
        }
    }

    private static func milliseconds(until deadline: DispatchTime?) -> Int32 {
        guard let deadline else { return -1 }
        let now = DispatchTime.now().uptimeNanoseconds
        guard deadline.uptimeNanoseconds > now else { return 0 }
        return Int32(clamping: (deadline.uptimeNanoseconds - now) / 1_000_000 + 1)
    }
}
