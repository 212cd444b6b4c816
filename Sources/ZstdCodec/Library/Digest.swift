/// What libzstd made of a dictionary, freed when nobody refers to it any more. On however many threads it is only read
/// (zstd.h, "Bulk processing dictionary API").
final class Digest: Sendable {
    // An address, for pointers are not Sendable.
    private let address: UInt
    private let free: @Sendable (OpaquePointer) -> Void

    /// - Parameters:
    ///   - digest: what libzstd returned.
    ///   - free: its function that frees it.
    /// - Throws: `outOfMemory` if there is none.
    init(_ digest: OpaquePointer?, free: @escaping @Sendable (OpaquePointer) -> Void) throws(CodecFailure) {
        guard let digest else { throw .outOfMemory }
        address = UInt(bitPattern: digest)
        self.free = free
    }

    deinit { if let pointer { free(pointer) } }

    /// For the functions of libzstd, as long as the caller refers to this.
    var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }
}
