/// A dictionary as libzstd has digested it, freed with its last reference. Any number of threads may read it (zstd.h,
/// "Bulk processing dictionary API").
final class DigestedDictionary: Sendable {
    // An address, since pointers are not Sendable.
    private let address: UInt
    private let free: @Sendable (OpaquePointer) -> Void

    /// - Throws: `outOfMemory` if `digest` is nil.
    init(_ digest: OpaquePointer?, free: @escaping @Sendable (OpaquePointer) -> Void) throws(CodecFailure) {
        guard let digest else { throw .outOfMemory }
        address = UInt(bitPattern: digest)
        self.free = free
    }

    deinit { if let pointer { free(pointer) } }

    /// Valid as long as the caller refers to this object.
    var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }
}
