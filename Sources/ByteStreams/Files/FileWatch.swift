package import Dispatch
internal import Glibc
internal import Synchronization
package import SystemPackage

/// Tells when something may have happened to a file that is followed, or to its name.
package protocol Watch: Sendable {
    /// Chooses the open file that is watched besides the name.
    func watch(_ file: FileDescriptor)

    /// Waits until something may have happened.
    ///
    /// - Returns: false if nothing was reported by then, and after `cancel`.
    /// - Throws: `reading` if the kernel can't wait; `writing` if nobody reads the output any more.
    func wait(until deadline: DispatchTime) throws(Failure) -> Bool

    /// Ends all waiting for good. Any thread may call it.
    func cancel()
}

/// Learns from the kernel (`inotify`) of changes to a name in its directory, and to one open file.
///
/// The kernel does not report what other machines do to files of a network file system, and nothing at all if it has no
/// watches left: whoever waits looks now and then.
package final class FileWatch: Watch {
    private let name: [UInt8]
    /// Negative if the kernel gives none; `poll` ignores it then.
    private let notifier: FileDescriptor
    private let wakePipe: WakePipe
    /// What is written while waiting; nil if that does not matter.
    private let output: FileDescriptor?
    /// The watch of the open file.
    private let fileWatch = Atomic<Int32>(-1)

    /// - Parameters:
    ///   - path: its last component is the name.
    ///   - output: waiting ends when a pipe or socket has lost its readers.
    /// - Throws: `reading` if no descriptors are left.
    package init(_ path: FilePath, output: FileDescriptor? = nil) throws(Failure) {
        name = path.lastComponent?.bytes ?? []
        self.output = output
        wakePipe = try Failure.reading(WakePipe())
        notifier = FileDescriptor(rawValue: inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)))
        let changes = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR
        _ = path.folder.withPlatformString { inotify_add_watch(notifier.rawValue, $0, UInt32(changes)) }
    }

    deinit { if notifier.rawValue >= 0 { close(notifier.rawValue) } }

    package func watch(_ file: FileDescriptor) {
        let changes = UInt32(IN_MODIFY | IN_ATTRIB)
        let watch = inotify_add_watch(notifier.rawValue, file.pathOfOpenFile, changes)
        let last = fileWatch.exchange(watch, ordering: .relaxed)
        if last >= 0, last != watch { inotify_rm_watch(notifier.rawValue, last) }
    }

    package func wait(until deadline: DispatchTime) throws(Failure) -> Bool {
        while true {
            let events = try Failure.reading(wakePipe.wait(for: notifier, POLLIN, until: deadline))
            if output?.isAbandoned == true { throw .writing(.brokenPipe) }
            if events == nil { return false }
            if takeEvents() { return true }
        }
    }

    package func cancel() { wakePipe.wake() }

    /// Takes what the kernel has reported; returns whether it is about the name or the file.
    private func takeEvents() -> Bool {
        let headerSize = MemoryLayout<inotify_event>.size
        var buffer = [UInt8](repeating: 0, count: 4096)
        var isMeant = false
        while true {
            let count = read(notifier.rawValue, &buffer, buffer.count)
            if count <= 0 { return isMeant }
            buffer.withUnsafeBytes { bytes in
                var rest = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                while rest.count >= headerSize {
                    let event = rest.loadUnaligned(as: inotify_event.self)
                    let size = min(rest.count, headerSize + Int(event.len))
                    let other = rest[headerSize..<size].prefix { $0 != 0 }
                    let isOfFile = event.wd == fileWatch.load(ordering: .relaxed)
                    let isLost = event.mask & UInt32(IN_Q_OVERFLOW) != 0
                    isMeant = isMeant || isOfFile || isLost || other.elementsEqual(name)
                    rest = UnsafeRawBufferPointer(rebasing: rest[size...])
                }
            }
        }
    }
}
