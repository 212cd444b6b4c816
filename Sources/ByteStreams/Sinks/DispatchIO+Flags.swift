internal import Dispatch
internal import Glibc
internal import SystemPackage

extension DispatchIO {
    /// Lets later writes go past the page cache, or through it again.
    ///
    /// It waits for earlier requests, because Dispatch sets the flags too, on a thread of its own, when it begins with
    /// a descriptor (trap 15 in docs/dispatch-on-linux.md), and restores them when it ends.
    func bypassCache(
        _ descriptor: FileDescriptor, _ isBypassed: Bool, orElse report: @escaping @Sendable (Errno) -> Void
    ) {
        barrier {
            do throws(Errno) { try descriptor.setDirectWrites(isBypassed) } catch { report(error) }
        }
    }

    /// Leaves a hole in a file, after earlier requests.
    func skip(_ count: UInt64, of descriptor: FileDescriptor, orElse report: @escaping @Sendable (Errno) -> Void) {
        barrier {
            if lseek(descriptor.rawValue, off_t(count), SEEK_CUR) < 0 { report(Errno(rawValue: errno)) }
        }
    }

    /// Lets writes to a pipe, socket or terminal block in a thread of Dispatch's.
    ///
    /// With O_NONBLOCK, a full pipe whose reader goes away reports only EPOLLERR, which libdispatch does not handle:
    /// the process would spin for ever (trap 1 in docs/dispatch-on-linux.md).
    func writeBlocking(_ descriptor: FileDescriptor) {
        barrier { descriptor.setWaiting() }
    }
}
