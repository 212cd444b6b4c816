internal import CKernel
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Memory whose end is followed by its start, for the content of a frame: a match may reach back over the whole window,
/// and pieces of it leave without a copy.
package final class ContentRing: Sendable {
    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    // An address, for pointers are not Sendable.
    private let address: UInt
    /// Bytes.
    let capacity: Int
    private let window: Int
    /// Where the pieces begin that somebody holds.
    private let held = Mutex<[UInt64]>([])
    private let released = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - window: bytes before what is written that stay as they are.
    ///   - pieces: bytes of those that may be held at once, with the one that is written, and what may be overwritten
    ///     behind it.
    /// - Returns: nil if the system has no such memory.
    package init?(window: UInt64, pieces: Int) {
        let (size, overflow) = window.addingReportingOverflow(UInt64(pieces + Self.pageSize))
        guard !overflow, let size = Int(exactly: size) else { return nil }
        capacity = size / Self.pageSize * Self.pageSize
        guard let memory = sluice_map_twice(capacity) else { return nil }
        address = UInt(bitPattern: memory)
        self.window = Int(window)
    }

    deinit { sluice_unmap_twice(UnsafeMutableRawPointer(bitPattern: address), capacity) }

    /// Memory for a piece, from a byte of the content on; waits until nobody holds what was there before.
    ///
    /// - Parameter count: bytes, with what may be overwritten behind it.
    func take(at position: UInt64, count: Int) -> UnsafeMutableRawBufferPointer {
        while !take(at: position, to: position + UInt64(count)) { released.wait() }
        let place = Int(position % UInt64(capacity))
        // Whichever of the two has the window in front of it.
        let start = UnsafeMutableRawPointer(bitPattern: address + UInt(place < window ? place + capacity : place))
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    /// Says that nobody holds the piece any more that began there.
    func give(at position: UInt64) {
        held.withLock { held in held.firstIndex(of: position).map { _ = held.remove(at: $0) } }
        released.signal()
    }

    private func take(at position: UInt64, to end: UInt64) -> Bool {
        held.withLock { held in
            guard held.allSatisfy({ $0 + UInt64(capacity) >= end }) else { return false }
            held.append(position)
            return true
        }
    }
}
