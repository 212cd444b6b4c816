internal import Dispatch
internal import Glibc
internal import Synchronization

/// Memory for the content of a frame, whose end is followed by its start: a match may reach back over the whole window,
/// and regions of it leave without a copy.
package final class ContentRing: Sendable {
    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    // An address, because pointers are not Sendable.
    private let address: UInt
    /// Bytes.
    let capacity: Int
    private let window: Int
    /// Where the regions begin that are in use.
    private let held = Mutex<[UInt64]>([])
    private let released = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - window: bytes before a new region that stay as they are.
    ///   - regions: bytes of all regions in use at once, with those that may be overwritten behind the last.
    /// - Returns: nil if the system has no such memory.
    package init?(window: UInt64, regions: Int) {
        let (size, overflow) = window.addingReportingOverflow(UInt64(regions + Self.pageSize))
        guard !overflow, let size = Int(exactly: size) else { return nil }
        capacity = size / Self.pageSize * Self.pageSize
        self.window = Int(window)
        guard let memory = mapTwice(capacity) else { return nil }
        address = UInt(bitPattern: memory)
    }

    deinit { unmapTwice(UnsafeMutableRawPointer(bitPattern: address), capacity) }

    /// Waits until the memory of a region is free.
    ///
    /// - Parameters:
    ///   - position: the byte of the content where it begins.
    ///   - count: bytes, with those that may be overwritten behind it.
    func take(at position: UInt64, count: Int) -> UnsafeMutableRawBufferPointer {
        let end = position + UInt64(count)
        func isTaken() -> Bool {
            held.withLock { held in
                guard held.allSatisfy({ $0 + UInt64(capacity) >= end }) else { return false }
                held.append(position)
                return true
            }
        }
        while !isTaken() { released.wait() }
        let place = Int(position % UInt64(capacity))
        // The mapping that has the window in front of the region.
        let start = address + UInt(place < window ? place + capacity : place)
        return UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: start), count: count)
    }

    /// Frees the region that begins there.
    func give(at position: UInt64) {
        held.withLock { held in held.firstIndex(of: position).map { _ = held.remove(at: $0) } }
        released.signal()
    }
}
