package import Dispatch

/// A run of bytes in one or more regions of memory, shared without copying.
///
/// The one unchecked conformance of the project: `DispatchData` is immutable and counts its references atomically,
/// but Dispatch does not declare it `Sendable`.
package struct Bytes: @unchecked Sendable {
    package private(set) var data: DispatchData

    package init(_ data: DispatchData = .empty) { self.data = data }

    package var count: Int { data.count }
    package var isEmpty: Bool { data.isEmpty }

    package mutating func append(_ other: Bytes) {
        if isEmpty { self = other } else { data.append(other.data) }
    }

    /// Joins several runs of bytes, in order. Appending one by one would copy the list of regions each time.
    package init(joining parts: [Bytes]) { self = Self.joined(parts[...]) }

    private static func joined(_ parts: ArraySlice<Bytes>) -> Bytes {
        guard parts.count > 1 else { return parts.first ?? Bytes() }
        let middle = (parts.startIndex + parts.endIndex) / 2
        var whole = joined(parts[..<middle])
        whole.append(joined(parts[middle...]))
        return whole
    }

    private static let zeroBlock = Bytes([UInt8](repeating: 0, count: 4 << 20))

    /// Zeros, all of which share one block of memory.
    package static func zeros(_ count: Int) -> Bytes {
        var whole = Bytes(joining: Array(repeating: zeroBlock, count: count / zeroBlock.count))
        whole.append(zeroBlock.slice(0..<count % zeroBlock.count))
        return whole
    }

    /// A range of the bytes, in the same memory.
    package func slice(_ range: Range<Int>) -> Bytes { Bytes(data.subdata(in: range)) }

    /// The same bytes in memory of their own, for whoever keeps them longer than the lease that came with them.
    package var copied: Bytes { Bytes(elements) }

    /// Removes up to `count` bytes from the front and returns them.
    package mutating func removeFirst(_ count: Int) -> Bytes {
        guard count < self.count else {
            defer { self = Bytes() }
            return self
        }
        defer { data = data.subdata(in: count..<data.count) }
        return Bytes(data.subdata(in: 0..<count))
    }
}

extension Bytes {
    /// Calls `body` with each region in turn, until it throws.
    ///
    /// `enumerateBytes` is the only access that neither copies, leaks nor traps (trap 3 in docs/dispatch-on-linux.md).
    package func forEachRegion<Thrown>(_ body: (RawSpan) throws(Thrown) -> Void) throws(Thrown) {
        var outcome = Result<Void, Thrown>.success(())
        data.enumerateBytes { region, _, stop in
            outcome = Result { () throws(Thrown) in try body(region.span.bytes) }
            if case .failure = outcome { stop = true }
        }
        try outcome.get()
    }

    /// The result of `body` for the bytes if they lie in one region; otherwise nil.
    func withOnlyRegion<Success>(_ body: (RawSpan) throws(Failure) -> Success) -> Result<Success, Failure>? {
        var outcome: Result<Success, Failure>?
        data.enumerateBytes { region, _, stop in
            stop = true
            guard region.count == data.count else { return }
            outcome = Result { () throws(Failure) in try body(region.span.bytes) }
        }
        return outcome
    }

    /// Copies the bytes to memory that is large enough for them.
    package func copy(to memory: UnsafeMutableRawBufferPointer) {
        data.enumerateBytes { region, offset, _ in
            memory.extracting(offset...).copyMemory(from: UnsafeRawBufferPointer(region))
        }
    }

    /// A copy of the bytes.
    package var elements: [UInt8] {
        var elements: [UInt8] = []
        data.enumerateBytes { region, _, _ in elements += region }
        return elements
    }

    package init(_ elements: some Collection<UInt8>) {
        let data = elements.withContiguousStorageIfAvailable { DispatchData(bytes: UnsafeRawBufferPointer($0)) }
        self.init(data ?? Array(elements).withUnsafeBytes { DispatchData(bytes: $0) })
    }
}
