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
    /// - Throws: `reading` if the kernel can't wait; `writing` if the output has lost its readers.
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
    /// How long the names of a busy directory are left to gather.
    private static let pause = DispatchTimeInterval.milliseconds(30)

    /// Negative if the kernel gives none, or it has failed; `poll` ignores it then.
    private let notifier: Atomic<Int32>
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
        let notifier = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        self.notifier = Atomic(notifier)
        let changes = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR
        _ = path.folder.withPlatformString { inotify_add_watch(notifier, $0, UInt32(changes)) }
    }

    deinit { giveUp() }

    package func watch(_ file: FileDescriptor) {
        let changes = UInt32(IN_MODIFY | IN_ATTRIB)
        let notifier = notifier.load(ordering: .relaxed)
        let watch = inotify_add_watch(notifier, file.pathOfOpenFile, changes)
        let last = fileWatch.exchange(watch, ordering: .relaxed)
        if last >= 0, last != watch { inotify_rm_watch(notifier, last) }
    }

    package func wait(until deadline: DispatchTime) throws(Failure) -> Bool {
        var pauseEnd: DispatchTime?
        while true {
            let watched = FileDescriptor(rawValue: pauseEnd == nil ? notifier.load(ordering: .relaxed) : -1)
            let events = try Failure.reading(
                wakePipe.wait(for: watched, POLLIN, until: min(deadline, pauseEnd ?? deadline)))
            if output?.isAbandoned == true { throw .writing(.brokenPipe) }
            if let events {
                if events & ~POLLIN != 0 { giveUp() } else if takeEvents() { return true }
            } else if pauseEnd == nil {
                return false
            }
            if deadline <= .now() { return false }
            // Others' names must cost no more than some wake-ups in a second.
            pauseEnd = events == nil ? nil : .now() + Self.pause
        }
    }

    /// Stops using inotify. Whoever waits looks at the file from time to time.
    private func giveUp() {
        let last = notifier.exchange(-1, ordering: .relaxed)
        if last >= 0 { close(last) }
    }

    package func cancel() { wakePipe.wake() }

    /// Takes what the kernel has reported; returns whether it is about the name or the file.
    private func takeEvents() -> Bool {
        let headerSize = MemoryLayout<inotify_event>.size
        var buffer = [UInt8](repeating: 0, count: 4096)
        var isMeant = false
        while true {
            let count = read(notifier.load(ordering: .relaxed), &buffer, buffer.count)
            if count <= 0 {
                if count == 0 || errno != EAGAIN && errno != EINTR { giveUp() }
                return isMeant
            }
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
