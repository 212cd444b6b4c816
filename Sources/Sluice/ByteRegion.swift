internal import Dispatch
internal import SluiceEngine

/// Contiguous bytes that a run made. The memory is shared by all copies of the value, and freed with the last.
///
///     for try await region in file.buffers() {
///         try FileDescriptor.standardOutput.writeAll(region)
///     }
public struct ByteRegion: RandomAccessCollection, Sendable {
    /// Keeps the memory.
    private let owner: Bytes
    /// At least 1 byte, which `owner` keeps, and nobody writes.
    nonisolated(unsafe) private let memory: UnsafeRawBufferPointer
    /// The number of bytes, at least 1.
    public var count: Int { memory.count }

    /// Takes a region off the front of some bytes.
    ///
    /// - Parameter most: the most bytes of it.
    /// - Returns: nil if there are none.
    init?(takenFrom bytes: inout Bytes, most: Int = .max) {
        var first: UnsafeBufferPointer<UInt8>?
        bytes.data.enumerateBytes { region, _, stop in (first, stop) = (region, true) }
        guard let first, !first.isEmpty else { return nil }
        memory = UnsafeRawBufferPointer(first.extracting(..<Swift.min(first.count, most)))
        owner = bytes.removeFirst(memory.count)
    }

    /// The bytes in place: they are not copied, and stay as long as the region.
    public var bytes: RawSpan {
        @_lifetime(borrow self) borrowing get {
            _overrideLifetime(RawSpan(_unsafeBytes: memory), borrowing: self)
        }
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of bytes.
    public var endIndex: Int { count }
    /// One byte, by its place from 0 on.
    public subscript(position: Int) -> UInt8 {
        precondition(indices.contains(position), "there is no byte \(position)")
        return withExtendedLifetime(owner) { memory[position] }
    }

    /// Calls a body with the bytes in place, which never move.
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        try withExtendedLifetime(owner) { try memory.withMemoryRebound(to: UInt8.self, body) }
    }
}

extension ByteRegion: CustomStringConvertible {
    /// How many bytes there are, such as `4096 bytes`.
    public var description: String { count == 1 ? "1 byte" : "\(count) bytes" }
}

// Our own, because the standard library copies another module's collection byte by byte (1 ms for 1 KiB in a debug
// build), unless it implements a requirement with an underscore.
extension [UInt8] {
    /// A copy of a region.
    public init(_ region: ByteRegion) {
        self = region.withContiguousStorageIfAvailable { Array($0) } ?? []
    }

    /// Adds a copy of a region.
    public mutating func append(contentsOf region: ByteRegion) {
        region.withContiguousStorageIfAvailable { append(contentsOf: $0) }
    }

    /// Adds a copy of a region.
    public static func += (bytes: inout [UInt8], region: ByteRegion) { bytes.append(contentsOf: region) }
}
