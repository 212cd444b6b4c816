internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Has the kernel write data to disk during the run, so that the final sync is short. The call may block when the disk
/// is busy, so it runs on its own queue.
final class Writeback: Sendable {
    /// Bytes between two calls.
    private static let step: Int64 = 16 << 20

    private let descriptor: FileDescriptor
    private let queue = DispatchQueue(label: "sluice.writeback")
    private let positions: Mutex<(written: Int64, started: Int64)>

    init(_ descriptor: FileDescriptor) {
        self.descriptor = descriptor
        let start = Int64(max(0, descriptor.position))
        positions = Mutex((start, start))
    }

    func didWrite(_ count: Int) {
        let range = positions.withLock { positions -> Range<Int64>? in
            positions.written += Int64(count)
            guard positions.written - positions.started >= Self.step else { return nil }
            defer { positions.started = positions.written }
            return positions.started..<positions.written
        }
        guard let range else { return }
        queue.async { [descriptor] in descriptor.startWriteback(range) }
    }

    /// Waits for calls in progress, before the descriptor is closed.
    func finish() { queue.sync {} }
}
