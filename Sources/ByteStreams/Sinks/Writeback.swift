internal import CKernel
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Sends what was written on to the disk while the run goes on, so that the sync at its end is short.
///
/// The call may block when the disk is busy, so it has a queue of its own.
final class Writeback: Sendable {
    /// Bytes between two calls.
    private static let step: Int64 = 16 << 20

    private let descriptor: FileDescriptor
    private let queue = DispatchQueue(label: "sluice.writeback")
    private let positions: Mutex<(written: Int64, started: Int64)>

    /// - Parameter descriptor: is written from where it stands.
    init(_ descriptor: FileDescriptor) {
        self.descriptor = descriptor
        let start = Int64(max(0, lseek(descriptor.rawValue, 0, SEEK_CUR)))
        positions = Mutex((start, start))
    }

    /// Takes note of bytes that were written.
    func didWrite(_ count: Int) {
        let range = positions.withLock { positions -> Range<Int64>? in
            positions.written += Int64(count)
            guard positions.written - positions.started >= Self.step else { return nil }
            defer { positions.started = positions.written }
            return positions.started..<positions.written
        }
        guard let range else { return }
        queue.async { [descriptor] in
            sluice_start_writeback(descriptor.rawValue, range.lowerBound, range.upperBound - range.lowerBound)
        }
    }

    /// Waits for the calls that were begun: the descriptor is about to be closed.
    func finish() {
        queue.sync {}
    }
}
