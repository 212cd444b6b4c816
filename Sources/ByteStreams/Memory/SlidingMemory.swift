internal import Dispatch
internal import Synchronization

/// Memory for the content of a frame, at addresses that go on as the content does: a match may reach back over the
/// whole window, and regions leave without a copy.
///
/// Memory behind the window moves to the front. Only the system's tables of pages change, and nothing is copied.
package final class SlidingMemory: Sendable {
    private struct State {
        /// Where the regions begin that are in use.
        var held: [UInt64] = []
        /// The bytes of the content that have memory: whole units.
        var mapped: Range<UInt64> = 0..<0
        /// The byte of the content at the first address.
        var origin: UInt64 = 0
        var isCancelled = false
    }

    /// Bytes that move together: an entry of the tables refers to as many.
    static let unit: UInt64 = 2 << 20
    /// The most bytes that it takes besides its window and the regions.
    package static let overhead = 2 * Int(unit)

    // An address, because pointers are not Sendable.
    private let address: UInt
    /// Bytes of addresses.
    private let reserve: UInt64
    /// Bytes of memory, at most.
    let capacity: UInt64
    /// Bytes of memory that it has.
    var mappedSize: Int { state.withLock { $0.mapped.count } }
    private let window: UInt64
    private let state = Mutex(State())
    private let released = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - window: bytes before a new region that stay as they are.
    ///   - regions: bytes of all regions in use at once, with those that may be overwritten after the last.
    ///   - reserve: bytes of addresses, which cost nothing; at their end all units move to the start.
    /// - Returns: nil if the system has no such memory.
    package init?(window: UInt64, regions: Int, reserve: UInt64 = 4 << 30) {
        let (least, overflow) = window.addingReportingOverflow(UInt64(regions) + 2 * Self.unit)
        guard !overflow, least <= 1 << 40 else { return nil }
        capacity = least / Self.unit * Self.unit
        self.window = window
        // Where addresses are limited too (ulimit -v), all units still have to fit twice.
        let sizes = [max(reserve, 2 * capacity), 2 * capacity]
        for size in sizes {
            guard let memory = reserveMemory(Int(size), alignment: Int(Self.unit)) else { continue }
            (address, self.reserve) = (UInt(bitPattern: memory), size)
            return
        }
        return nil
    }

    deinit { releaseMemory(UnsafeMutableRawPointer(bitPattern: address), Int(reserve)) }

    /// Waits until there is memory for a region, after the last one.
    ///
    /// - Parameters:
    ///   - position: the byte of the content where it begins.
    ///   - count: bytes, with those that may be overwritten after it.
    /// - Throws: `cancelled` after `cancel`.
    func take(at position: UInt64, count: Int) throws(Failure) -> UnsafeMutableRawBufferPointer {
        while true {
            let start = try state.withLock { state throws(Failure) -> UInt? in
                if state.isCancelled { throw .cancelled }
                guard makeRoom(for: position..<position + UInt64(count), &state) else { return nil }
                state.held.append(position)
                return address + UInt(position - state.origin)
            }
            if let start {
                return UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: start), count: count)
            }
            released.wait()
        }
    }

    /// Frees the region that begins there.
    func give(at position: UInt64) {
        state.withLock { state in state.held.firstIndex(of: position).map { _ = state.held.remove(at: $0) } }
        released.signal()
    }

    /// Ends the waiting: the regions in use may stay in use.
    package func cancel() {
        state.withLock { $0.isCancelled = true }
        released.signal()
    }

    /// - Returns: false if regions in use are in the way.
    private func makeRoom(for region: Range<UInt64>, _ state: inout State) -> Bool {
        if region.upperBound - state.origin > reserve {
            guard state.held.isEmpty else { return false }
            moveToStart(before: region.lowerBound, &state)
        }
        while state.mapped.upperBound < region.upperBound {
            let first = state.mapped.lowerBound
            if isFree(first..<first + Self.unit, before: region.lowerBound, state) {
                slide(first, to: state.mapped.upperBound, in: state)
                state.mapped = first + Self.unit..<state.mapped.upperBound
            } else if UInt64(state.mapped.count) == capacity {
                return false
            }
            state.mapped = state.mapped.lowerBound..<state.mapped.upperBound + Self.unit
        }
        return true
    }

    /// Whether a unit is behind the window, and no region in use is in it.
    private func isFree(_ unit: Range<UInt64>, before position: UInt64, _ state: State) -> Bool {
        unit.upperBound <= min(state.mapped.upperBound, position - min(position, window))
            && state.held.allSatisfy { $0 >= unit.upperBound }
    }

    /// Moves a unit behind the window to the front, where its content is of no use.
    private func slide(_ unit: UInt64, to place: UInt64, in state: State) {
        let from = pointer(unit - state.origin)
        // Without that, the memory of the system's is new.
        if !moveMemory(from, to: pointer(place - state.origin), Int(Self.unit)) { dropMemory(from, Int(Self.unit)) }
    }

    /// Moves the window, and what lies behind it, to the first addresses.
    private func moveToStart(before position: UInt64, _ state: inout State) {
        let origin = (position - min(position, window)) / Self.unit * Self.unit
        for unit in stride(from: state.mapped.lowerBound, to: state.mapped.upperBound, by: Int(Self.unit)) {
            let from = pointer(unit - state.origin)
            guard unit >= origin else {
                dropMemory(from, Int(Self.unit))
                continue
            }
            let to = pointer(unit - origin)
            if moveMemory(from, to: to, Int(Self.unit)) { continue }
            if let from, let to { to.copyMemory(from: from, byteCount: Int(Self.unit)) }
            dropMemory(from, Int(Self.unit))
        }
        state.mapped = max(origin, state.mapped.lowerBound)..<state.mapped.upperBound
        state.origin = origin
    }

    private func pointer(_ place: UInt64) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: address + UInt(place))
    }
}
