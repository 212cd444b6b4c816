package import Dispatch
internal import Glibc

/// A run of bytes in one or more regions of memory, shared without copying.
///
/// The one unchecked conformance of the project: `DispatchData` is immutable and counts its references atomically,
/// but Dispatch does not declare it `Sendable`.
package struct Bytes: @unchecked Sendable {
    /// The same bytes, as Dispatch has them.
    package private(set) var data: DispatchData

    /// The bytes of some data, which are not copied.
    package init(_ data: DispatchData = .empty) {
        self.data = data
    }

    /// How many there are.
    package var count: Int { data.count }
    /// Whether there are none.
    package var isEmpty: Bool { data.isEmpty }

    package mutating func append(_ other: Bytes) {
        if isEmpty { self = other } else { data.append(other.data) }
    }

    /// Some of them, in the same memory.
    package func slice(_ range: Range<Int>) -> Bytes { Bytes(data.subdata(in: range)) }

    /// Some of them, and some more behind those.
    package func slices(_ ranges: [Range<Int>]) -> Bytes { ranges.reduce(into: Bytes()) { $0.append(slice($1)) } }

    /// Takes up to `count` bytes off the front.
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
    /// `enumerateBytes` is the one way to the bytes that neither copies, leaks nor traps (trap 3 in
    /// docs/dispatch-on-linux.md).
    package func forEachRegion(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        var outcome = Result<Void, Failure>.success(())
        data.enumerateBytes { region, _, stop in
            outcome = Result { () throws(Failure) in try body(UnsafeRawBufferPointer(region)) }
            if case .failure = outcome { stop = true }
        }
        try outcome.get()
    }

    /// The result of `body` for the bytes if they lie in one region, else nil.
    func withOnlyRegion<Success>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Success
    ) -> Result<Success, Failure>? {
        var outcome: Result<Success, Failure>?
        data.enumerateBytes { region, _, stop in
            stop = true
            guard region.count == data.count else { return }
            outcome = Result { () throws(Failure) in try body(UnsafeRawBufferPointer(region)) }
        }
        return outcome
    }

    /// A copy of them.
    package var elements: [UInt8] {
        var elements: [UInt8] = []
        data.enumerateBytes { region, _, _ in elements += region }
        return elements
    }

    /// A copy of the elements.
    package init(_ elements: [UInt8]) {
        self.init(elements.withUnsafeBytes { DispatchData(bytes: $0) })
    }
}
