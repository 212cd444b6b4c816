internal import Dispatch
internal import Synchronization

/// Memory for the content of a frame, at addresses that increase as the content does. A match may reach back over the
/// whole window, and regions are handed on without a copy.
///
/// Memory before the window moves to the front. Only page tables change; nothing is copied.
package final class SlidingMemory: Sendable {
    private struct State {
        /// The start of each region in use.
        var held: [UInt64] = []
        /// The bytes of the content that have memory, in whole units.
        var mapped: Range<UInt64> = 0..<0
        /// The byte of the content at the first address.
        var origin: UInt64 = 0
        var isCancelled = false
    }

    /// The number of bytes that move together: what one entry of a page middle directory covers.
    static let unit: UInt64 = 2 << 20
    /// The most bytes of memory besides the window and the regions.
    package static let overhead = 2 * Int(unit)

    /// The address range, owned by this object: no two regions in use overlap, and what lies between them moves only
    /// under the lock of `state`.
    private let memory: LentMemory
    /// The most bytes of memory.
    let capacity: UInt64
    /// The bytes of memory in use now.
    var mappedSize: Int { state.withLock { $0.mapped.count } }
    private let window: UInt64
    private let state = Mutex(State())
    private let released = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - window: how many bytes before a new region must keep their content.
    ///   - regions: the most bytes of all regions in use at once, including those that may be overwritten after the
    ///     last.
    ///   - reserve: the size of the address range in bytes, which costs nothing. At its end all units move to the
    ///     start.
    /// - Returns: nil if the system can't reserve the addresses.
    package init?(window: UInt64, regions: Int, reserve: UInt64 = 4 << 30) {
        let (least, overflow) = window.addingReportingOverflow(UInt64(regions) + 2 * Self.unit)
        guard !overflow, least <= 1 << 40 else { return nil }
        capacity = least / Self.unit * Self.unit
        self.window = window
        // Where addresses are limited too (ulimit -v), reserve just enough for all units twice.
        let sizes = [max(reserve, 2 * capacity), 2 * capacity]
        for size in sizes {
            guard let memory = reserveMemory(Int(size), alignment: Int(Self.unit)) else { continue }
            self.memory = LentMemory(UnsafeMutableRawBufferPointer(start: memory, count: Int(size)))
            return
        }
        return nil
    }

    deinit { releaseMemory(memory.writable.baseAddress, memory.writable.count) }

    /// Waits until there is memory for the next region.
    ///
    /// - Parameters:
    ///   - position: the byte of the content at which the region begins.
    ///   - count: the size of the region in bytes, including those that may be overwritten after it.
    /// - Throws: `cancelled` after `cancel`.
    func take(at position: UInt64, count: Int) throws(Failure) -> UnsafeMutableRawBufferPointer {
        while true {
            let place = try state.withLock { state throws(Failure) -> Int? in
                if state.isCancelled { throw .cancelled }
                guard makeRoom(for: position..<position + UInt64(count), &state) else { return nil }
                state.held.append(position)
                return Int(position - state.origin)
            }
            if let place { return memory.writable.extracting(place..<place + count) }
            released.wait()
        }
    }

    /// Frees the region that begins at a position.
    func give(at position: UInt64) {
        state.withLock { state in state.held.firstIndex(of: position).map { _ = state.held.remove(at: $0) } }
        released.signal()
    }

    /// Ends all waiting. Regions in use may stay in use.
    package func cancel() {
        state.withLock { $0.isCancelled = true }
        released.signal()
    }

    /// Gives all of a region memory, by moving units from before the window to the front, or by adding new ones.
    ///
    /// - Returns: false if regions in use are in the way.
    private func makeRoom(for region: Range<UInt64>, _ state: inout State) -> Bool {
        if region.upperBound - state.origin > UInt64(memory.bytes.count) {
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

    /// Whether a unit lies before the window and contains no region in use.
    private func isFree(_ unit: Range<UInt64>, before position: UInt64, _ state: State) -> Bool {
        unit.upperBound <= min(state.mapped.upperBound, position - min(position, window))
            && state.held.allSatisfy { $0 >= unit.upperBound }
    }

    /// Moves a unit from before the window to the front; its content is not needed there.
    private func slide(_ unit: UInt64, to place: UInt64, in state: State) {
        let from = pointer(unit - state.origin)
        // If the kernel can't move the pages, free them; the front then gets fresh ones.
        if !moveMemory(from, to: pointer(place - state.origin), Int(Self.unit)) { dropMemory(from, Int(Self.unit)) }
    }

    /// Moves the window, and what follows it, to the first addresses.
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
        memory.writable.baseAddress?.advanced(by: Int(place))
    }
}
