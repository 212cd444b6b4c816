internal import Dispatch
internal import Glibc
internal import SystemPackage

/// Waits until a pipe, socket, terminal or device has something to read, or until `cancel`.
///
/// Dispatch is asked only for bytes that are available already. If asked for more, libdispatch would wait with epoll,
/// and a hang-up of the producer at the wrong moment would lead to a use after free (trap 12 in
/// docs/dispatch-on-linux.md).
final class Readiness: Sendable {
    /// If fewer bytes than this, half of a widened pipe, are available, wait a little longer.
    private static let enough = 512 << 10
    /// One such pause, in microseconds. Pauses are repeated while more bytes arrive.
    private static let pause: UInt32 = 120
    /// After this many pauses, a producer of 1 GB/s has filled the pipe.
    private static let mostPauses = 8

    private let descriptor: FileDescriptor
    /// Whether the pipe is large enough for the producer to go on during a pause.
    private let isRoomy: Bool
    private let wakePipe: WakePipe

    /// - Parameter mayWiden: whether the capacity of a pipe may be changed.
    /// - Throws: `reading` if no descriptors are left.
    init(of descriptor: FileDescriptor, mayWiden: Bool = true) throws(Failure) {
        wakePipe = try Failure.reading(WakePipe())
        self.descriptor = descriptor
        isRoomy = mayWiden && descriptor.widenPipe()
    }

    /// Ends all waiting for good.
    func cancel() { wakePipe.wake() }

    /// Waits until there is something to read, or the input has ended.
    ///
    /// A producer of small writes, such as tar or cat, gets a moment to write more. One read per write would cost more
    /// than the work on the data, and when both ends use a pipe at the same time, each waits for the pipe's lock.
    ///
    /// - Parameter count: how many bytes are wanted.
    /// - Returns: how many bytes can be read without waiting, or 1 at the end and for an error, which the read will
    ///   report; nil at the deadline and after `cancel`.
    /// - Throws: `reading` if the kernel can't wait.
    func wait(for count: Int, until deadline: DispatchTime?) throws(Failure) -> Int? {
        var (pauses, seen) = (isRoomy ? Self.mostPauses : 0, Int32(0))
        while true {
            let ready = try Failure.reading(wakePipe.wait(for: descriptor, POLLIN, until: deadline))
            guard let ready else { return nil }
            var available: Int32 = 0
            // Devices without FIONREAD, such as /dev/zero, always have data.
            guard ioctl(descriptor.rawValue, UInt(FIONREAD), &available) == 0 else { return .max }
            guard pauses > 0, ready == POLLIN, available > seen, available < min(count, Self.enough) else {
                return max(1, Int(available))
            }
            (pauses, seen) = (pauses - 1, available)
            usleep(Self.pause)
        }
    }
}
