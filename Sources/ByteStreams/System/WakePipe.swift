internal import Dispatch
internal import Glibc
internal import SystemPackage

/// A pipe that wakes a thread from `poll`, once and for all.
final class WakePipe: Sendable {
    private let reader: Int32
    private let writer: Int32

    /// - Throws: an error if no descriptors are left.
    init() throws(Errno) {
        (reader, writer) = try ownPipe()
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// Any thread may call it, at any time.
    func wake() {
        var byte: UInt8 = 0
        _ = write(writer, &byte, 1)
    }

    /// Waits until a descriptor is ready.
    ///
    /// - Parameter events: such as `POLLIN`.
    /// - Returns: the events that `poll` reports; nil at the deadline, and after `wake`.
    /// - Throws: the error of `poll`, such as out of memory: a read or write after that could block forever.
    func wait(
        for descriptor: FileDescriptor, _ events: Int32, until deadline: DispatchTime? = nil
    ) throws(Errno) -> Int32? {
        var entries = [
            pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor.rawValue, events: Int16(events), revents: 0),
        ]
        while true {
            let ready: Int
            do throws(Errno) {
                ready = try systemCall { Int(poll(&entries, 2, Self.milliseconds(until: deadline))) }
            } catch .resourceTemporarilyUnavailable {
                continue
            }
            return ready == 0 || entries[0].revents != 0 ? nil : Int32(entries[1].revents)
        }
    }

    private static func milliseconds(until deadline: DispatchTime?) -> Int32 {
        guard let deadline else { return -1 }
        let now = DispatchTime.now().uptimeNanoseconds
        guard deadline.uptimeNanoseconds > now else { return 0 }
        return Int32(clamping: (deadline.uptimeNanoseconds - now) / 1_000_000 + 1)
    }
}
