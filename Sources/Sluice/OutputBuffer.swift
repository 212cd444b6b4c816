internal import Dispatch
internal import Glibc
internal import ZstdCodec

/// Memory that a worker fills and the writer then owns, without a copy between them.
struct OutputBuffer: ~Copyable {
    let memory: UnsafeMutableRawBufferPointer
    // The default queue would be the one that pipe I/O needs (trap 5 in docs/dispatch-on-linux.md).
    private static let releasing = DispatchQueue(label: "sluice.release")

    /// - Throws: `outOfMemory`; Swift's own allocation would end the process instead.
    init(capacity: Int) throws(Failure) {
        memory = try Self.allocate(capacity)
    }

    deinit { free(memory.baseAddress) }

    /// Hands the first `count` bytes over.
    consuming func finish(count: Int) -> Bytes {
        let start = memory.baseAddress
        discard self
        guard count > 0, let start else {
            free(start)
            return Bytes()
        }
        let filled = UnsafeRawBufferPointer(start: start, count: count)
        return Bytes(
            DispatchData(bytesNoCopy: filled, deallocator: .custom(Self.releasing) { free(start) }))
    }

    static func allocate(_ count: Int) throws(Failure) -> UnsafeMutableRawBufferPointer {
        guard let start = malloc(max(count, 1)) else { throw .codec(.outOfMemory) }
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }
}
