internal import CKernel
internal import Dispatch
internal import Glibc
internal import SystemPackage

extension DispatchIO {
    /// Has what is written from now on go past the page cache, or through it again.
    ///
    /// Behind what was asked for before: Dispatch itself sets the flags, on a thread of its own, when it begins with a
    /// descriptor (trap 15 in docs/dispatch-on-linux.md). When it ends it sets those again that it found.
    func bypassCache(
        _ descriptor: FileDescriptor, _ isBypassed: Bool, orElse report: @escaping @Sendable (Errno) -> Void
    ) {
        barrier {
            guard sluice_set_direct_writes(descriptor.rawValue, isBypassed) != 0 else { return }
            report(Errno(rawValue: errno))
        }
    }

    /// Leaves a hole in a file, behind what was asked for before.
    func skip(_ count: UInt64, of descriptor: FileDescriptor, orElse report: @escaping @Sendable (Errno) -> Void) {
        barrier {
            if lseek(descriptor.rawValue, off_t(count), SEEK_CUR) < 0 { report(Errno(rawValue: errno)) }
        }
    }

    /// Lets writes to a pipe, socket or terminal block in a thread of Dispatch's.
    ///
    /// With O_NONBLOCK, a full pipe whose reader goes away reports EPOLLERR only, for which libdispatch has no handler:
    /// the process would spin for ever (trap 1 in docs/dispatch-on-linux.md).
    func writeBlocking(_ descriptor: FileDescriptor) {
        barrier {
            let flags = fcntl(descriptor.rawValue, F_GETFL)
            if flags >= 0 { _ = fcntl(descriptor.rawValue, F_SETFL, flags & ~O_NONBLOCK) }
        }
    }
}
