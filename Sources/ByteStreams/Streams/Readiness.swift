internal import Dispatch
internal import Glibc
internal import SystemPackage

/// Waits until a pipe, socket, terminal or device has something to read, or until `cancel`.
///
/// Dispatch is asked only for bytes that are already there. Asked for more, libdispatch would wait with epoll, and a
/// hang-up of the producer at the wrong moment ends in a use after free (trap 12 in docs/dispatch-on-linux.md).
final class Readiness: Sendable {
    /// With fewer bytes than this, it waits a little longer: half of a pipe.
    private static let enough = 512 << 10
    /// How much longer, as long as more bytes come, in microseconds.
    private static let pause: UInt32 = 120
    /// After all of them, a producer of 1 GB/s has filled the pipe.
    private static let mostPauses = 8

    private let descriptor: FileDescriptor
    /// Whether the pipe has room for the producer to go on meanwhile.
    private let isRoomy: Bool
    private let wakePipe: WakePipe

    /// - Parameter mayWiden: whether the capacity of a pipe may be changed.
    /// - Throws: `reading` if there are no descriptors left.
    init(of descriptor: FileDescriptor, mayWiden: Bool = true) throws(Failure) {
        wakePipe = try Failure.reading(WakePipe())
        self.descriptor = descriptor
        isRoomy = mayWiden && descriptor.widenPipe()
    }

    /// Ends the waiting, now and for ever.
    func cancel() { wakePipe.wake() }

    /// Waits until there is something to read, or the input has ended.
    ///
    /// A producer of small writes, such as tar or cat, gets a moment to write more. A read for each of them would cost
    /// more than the work on the data, and a pipe that both ends use at once keeps each waiting for its lock.
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
            // Devices that can't tell, such as /dev/zero, always have data.
            guard ioctl(descriptor.rawValue, UInt(FIONREAD), &available) == 0 else { return .max }
            guard pauses > 0, ready == POLLIN, available > seen, available < min(count, Self.enough) else {
                return max(1, Int(available))
            }
            (pauses, seen) = (pauses - 1, available)
            usleep(Self.pause)
        }
    }
}
