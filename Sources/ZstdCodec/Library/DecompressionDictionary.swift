internal import CZstd

/// The counterpart of `CompressionDictionary`: what frames were made with, digested once for all contexts.
public final class DecompressionDictionary: Sendable {
    private enum Form: Sendable {
        /// `ZSTD_DDict`.
        case digest(Digest)
        case reference(any HeldMemory)
    }

    private let form: Form
    /// The number that frames ask for it by; 0 if it has none.
    public let identifier: UInt32

    /// Digests a dictionary, which is copied (`ZSTD_createDDict`).
    ///
    /// - Throws: `damagedDictionary`, `outOfMemory`.
    public init(_ content: UnsafeRawBufferPointer) throws(CodecFailure) {
        identifier = try dictionaryIdentifier(of: content)
        form = .digest(try Digest(ZSTD_createDDict(content.baseAddress, content.count)) { ZSTD_freeDDict($0) })
    }

    /// Content of which frames are the difference (`ZSTD_DCtx_refPrefix`).
    package init(reference: any HeldMemory) {
        identifier = 0
        form = .reference(reference)
    }

    /// Bytes that it holds.
    public var memory: Int {
        switch form {
        case .digest(let digest): ZSTD_sizeof_DDict(digest.pointer)
        case .reference(let reference): reference.bytes.count
        }
    }

    /// Bytes of the window that frames made with it may well ask for: a difference reaches over as much as it was made
    /// from.
    public var window: UInt64 {
        guard case .reference(let reference) = form else { return 0 }
        return 2 * UInt64(reference.bytes.count)
    }

    /// Lets all frames of a context refer to it.
    func attach(to context: OpaquePointer) throws(CodecFailure) {
        guard case .digest(let digest) = form else { return }
        try checked(ZSTD_DCtx_refDDict(context, digest.pointer))
    }

    /// Lets the next frame refer to it, if that is needed for each.
    func attachToFrame(of context: OpaquePointer) throws(CodecFailure) {
        guard case .reference(let reference) = form else { return }
        try checked(ZSTD_DCtx_refPrefix(context, reference.bytes.baseAddress, reference.bytes.count))
    }
}
