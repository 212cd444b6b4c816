internal import CKernel

/// Memory that is mapped twice, one mapping behind the other, so that its end is followed by its start.
struct MirroredMemory: ~Copyable, Sendable {
    // An address, because pointers are not Sendable.
    private let address: UInt
    /// Bytes of one mapping.
    let size: Int

    /// - Parameter size: a multiple of the page size.
    /// - Returns: nil if the system has no such memory.
    init?(size: Int) {
        guard let memory = sluice_map_twice(size) else { return nil }
        (address, self.size) = (UInt(bitPattern: memory), size)
    }

    deinit { sluice_unmap_twice(UnsafeMutableRawPointer(bitPattern: address), size) }

    /// The memory from an offset on, which may be in either mapping.
    subscript(offset: Int) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: address + UInt(offset))
    }
}
