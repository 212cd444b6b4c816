internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Writes a descriptor with system calls, on the calling thread; `cancel` ends each wait.
///
/// The descriptor's flags stay unchanged, because other processes may share them. A pipe or a terminal is opened again
/// for non-blocking writes; each write to a socket is non-blocking; a device gets only what it has room for.
package final class DescriptorSink: ByteSink {
    /// The largest write in bytes. A cancelled run waits for it to end.
    private static let largestWrite = 1 << 20
    /// The bytes that a device accepts at once when `poll` reports room (PIPE_BUF). A terminal may accept fewer, and
    /// would wait for a reader with the rest.
    private static let leastRoom = 4096

    /// The descriptors that the sink opens itself.
    private final class OwnDescriptors: Sendable {
        /// The same pipe or terminal, opened for non-blocking writes; nil if it is neither, or could not be opened
        /// again.
        let unblocked: FileDescriptor?
        let wakePipe: WakePipe

        init(of sink: Sink, _ descriptor: FileDescriptor) throws(Errno) {
            wakePipe = try WakePipe()
            let isTerminal = sink.identity.kind == .device && isatty(descriptor.rawValue) == 1
            unblocked = sink.identity.kind == .fifo || isTerminal ? descriptor.reopened() : nil
        }

        deinit { if let unblocked { Glibc.close(unblocked.rawValue) } }
    }

    private let kind: FileIdentity.Kind
    private let descriptor: FileDescriptor
    /// Nil after `finish`: a worker that a cancelled run has left behind still refers to the sink.
    private let own: Mutex<OwnDescriptors?>
    private let isCancelled = Atomic(false)

    /// - Parameter sink: its descriptor stays open.
    /// - Throws: `writing` if no descriptors are left.
    package init(_ sink: Sink) throws(Failure) {
        let descriptor = try sink.requireDescriptor()
        (kind, self.descriptor) = (sink.identity.kind, descriptor)
        own = Mutex(try Failure.writing(OwnDescriptors(of: sink, descriptor)))
    }

    package func write(_ piece: consuming Piece) throws(Failure) {
        precondition(piece.gapBefore == 0, "plain calls write no holes")
        do throws(Errno) { try piece.bytes.forEachRegion(write) } catch {
            // No byte follows a gap.
            isCancelled.store(true, ordering: .releasing)
            throw .writing(error)
        }
        piece.write?.end()
    }

    package func cancel() {
        isCancelled.store(true, ordering: .releasing)
        own.withLock { $0 }?.wakePipe.wake()
    }

    package func finish() { own.withLock { $0 = nil } }

    private func write(_ bytes: RawSpan) throws(Errno) {
        var rest = bytes
        while !rest.isEmpty {
            guard !isCancelled.load(ordering: .acquiring) else { throw .canceled }
            do throws(Errno) {
                let count = try rest.withUnsafeBytes(writeSome)
                if count == 0 { throw .ioError }
                rest = rest.extracting(droppingFirst: count)
            } catch .resourceTemporarilyUnavailable {
                try waitForRoom()
            }
        }
    }

    private func writeSome(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
        var count = min(bytes.count, Self.largestWrite)
        if kind == .socket {
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
            return try systemCall { send(descriptor.rawValue, bytes.baseAddress, count, flags) }
        }
        let unblocked = own.withLock { $0?.unblocked }
        if kind != .file, unblocked == nil {
            guard try waitForRoom() else { throw .canceled }
            count = min(count, Self.leastRoom)
        }
        return try systemCall { Glibc.write((unblocked ?? descriptor).rawValue, bytes.baseAddress, count) }
    }

    /// Waits until the descriptor has room, or its reader is gone.
    ///
    /// - Returns: false after `cancel`.
    @discardableResult private func waitForRoom() throws(Errno) -> Bool {
        guard let own = own.withLock({ $0 }) else { return false }
        return try own.wakePipe.wait(for: own.unblocked ?? descriptor, POLLOUT) != nil
    }
}
