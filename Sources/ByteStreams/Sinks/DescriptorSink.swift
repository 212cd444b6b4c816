internal import Dispatch
internal import Glibc
internal import Synchronization
package import SystemPackage

/// Writes a descriptor with system calls, on a thread of its own, none of which waits longer than until `cancel`.
///
/// Nothing is changed of the descriptor, which others may have too. A pipe is opened once more, for writes that don't
/// wait; to a socket each can be told not to; what is neither, nor a file, is given no more than it has room for.
package final class DescriptorSink: ByteSink {
    private struct Request: Sendable {
        let bytes: Bytes
        let whenDone: @Sendable (Errno?) -> Void
    }

    /// The most that is written at once, in bytes: a run that was cancelled waits for so much.
    private static let largestWrite = 1 << 20
    /// What a pipe or a terminal takes at once when `poll` says that it takes something, in bytes (PIPE_BUF).
    private static let leastRoom = 4096

    /// What it has open itself.
    private final class Ends: Sendable {
        /// The same pipe, with writes that don't wait; -1 if there is none.
        let pipe: Int32
        let alert: Alert

        init(of sink: Sink) throws(Errno) {
            alert = try Alert()
            let flags = O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
            let isPipe = sink.identity.kind == .fifo
            pipe = isPipe ? open("/proc/self/fd/\(sink.descriptor.rawValue)", flags) : -1
        }

        deinit { if pipe >= 0 { Glibc.close(pipe) } }
    }

    private let kind: FileIdentity.Kind
    private let descriptor: FileDescriptor
    /// Nil after `finish`: a worker that the cancelled run has left behind still refers to the sink.
    private let ends: Mutex<Ends?>
    private let isCancelled = Atomic(false)
    private let requests = WorkQueue<Request>()
    private let running = DispatchGroup()

    /// - Parameters:
    ///   - sink: its descriptor stays open.
    ///   - onEnd: runs on the thread of the writes, last of all.
    /// - Throws: `writing` if there are no descriptors left, `outOfThreads`.
    package init(_ sink: Sink, onEnd: @escaping @Sendable () -> Void = {}) throws(Failure) {
        (kind, descriptor) = (sink.identity.kind, sink.descriptor)
        let ends = try Failure.writing { () throws(Errno) in try Ends(of: sink) }
        self.ends = Mutex(ends)
        running.enter()
        do throws(Errno) {
            try startThread { [self] in
                while let finish = requests.pop().map(perform) { finish() }
                onEnd()
                running.leave()
            }
        } catch {
            running.leave()
            throw .outOfThreads(error)
        }
    }

    package func write(_ bytes: Bytes, after hole: UInt64, whenDone: @escaping @Sendable (Errno?) -> Void) {
        precondition(hole == 0, "no holes are left where plain calls write")
        // Drop the result of a worker that the cancelled run has left behind.
        if !requests.push(Request(bytes: bytes, whenDone: whenDone)) { whenDone(.canceled) }
    }

    package func cancel() {
        isCancelled.store(true, ordering: .releasing)
        ends.withLock { $0 }?.alert.give()
    }

    /// Waits until everything is written, and the thread has ended.
    package func finish() {
        requests.close()
        running.wait()
        ends.withLock { $0 = nil }
    }

    /// - Returns: what tells that it is done, when the request is let go of.
    private func perform(_ request: Request) -> () -> Void {
        var error: Errno?
        request.bytes.data.enumerateBytes { region, _, stop in
            do throws(Errno) { try write(UnsafeRawBufferPointer(region)) } catch let thrown {
                error = thrown
                stop = true
                // No byte goes behind a gap.
                isCancelled.store(true, ordering: .releasing)
            }
        }
        let whenDone = request.whenDone
        return { [error] in whenDone(error) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var rest = bytes
        while !rest.isEmpty {
            guard !isCancelled.load(ordering: .acquiring) else { throw .canceled }
            do throws(Errno) {
                let count = try systemCall { writeSome(rest) }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            } catch .resourceTemporarilyUnavailable {
                waitForRoom()
            }
        }
    }

    private func writeSome(_ bytes: UnsafeRawBufferPointer) -> Int {
        let pipe = ends.withLock { $0?.pipe } ?? -1
        let count = min(bytes.count, Self.largestWrite)
        switch kind {
        case .file: return Glibc.write(descriptor.rawValue, bytes.baseAddress, count)
        case .socket:
            return send(descriptor.rawValue, bytes.baseAddress, count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        default:
            if pipe >= 0 { return Glibc.write(pipe, bytes.baseAddress, count) }
            guard waitForRoom() else {
                errno = EAGAIN
                return -1
            }
            return Glibc.write(descriptor.rawValue, bytes.baseAddress, min(count, Self.leastRoom))
        }
    }

    /// Waits until there is room for something, or nobody who would take it.
    ///
    /// - Returns: false after `cancel`.
    @discardableResult private func waitForRoom() -> Bool {
        guard let ends = ends.withLock({ $0 }) else { return false }
        var entries = [
            pollfd(fd: ends.alert.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: ends.pipe >= 0 ? ends.pipe : descriptor.rawValue, events: Int16(POLLOUT), revents: 0),
        ]
        while poll(&entries, 2, -1) < 0, errno == EINTR || errno == EAGAIN {}
        return entries[0].revents == 0
    }
}
