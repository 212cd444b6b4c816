internal import CZstd

/// The counterpart of `CompressionDictionary`, digested once for all contexts.
public final class DecompressionDictionary: Sendable {
    private enum Form: Sendable {
        /// A `ZSTD_DDict`.
        case digest(DigestedDictionary)
        case reference(any HeldMemory)
    }

    private let form: Form
    /// The identifier that frames name it by (`ZSTD_getDictID_fromDict`); 0 if it has none.
    public let identifier: UInt32

    /// What the public initializer does; throws `damagedDictionary`, `outOfMemory`.
    package init(digesting content: RawSpan) throws(CodecFailure) {
        (identifier, form) = try content.withUnsafeBytes { content throws(CodecFailure) in
            let digest = ZSTD_createDDict(content.baseAddress, content.count)
            return (
                try dictionaryIdentifier(of: content), .digest(try DigestedDictionary(digest) { ZSTD_freeDDict($0) })
            )
        }
    }

    /// A reference that frames are the difference to (`ZSTD_DCtx_refPrefix`).
    package init(reference: any HeldMemory) {
        identifier = 0
        form = .reference(reference)
    }

    /// Bytes that it holds (`ZSTD_sizeof_DDict`).
    public var memory: Int {
        switch form {
        case .digest(let digest): ZSTD_sizeof_DDict(digest.pointer)
        case .reference(let reference): reference.bytes.count
        }
    }

    /// Bytes of the window that differences to the reference may well ask for: twice the reference. 0 for a dictionary.
    package var window: UInt64 {
        guard case .reference(let reference) = form else { return 0 }
        return 2 * UInt64(reference.bytes.count)
    }

    /// Lets all frames of a context refer to it.
    func attach(to context: OpaquePointer) throws(CodecFailure) {
        guard case .digest(let digest) = form else { return }
        try checked(ZSTD_DCtx_refDDict(context, digest.pointer))
    }

    /// Lets the next frame refer to a reference, which libzstd forgets after each frame.
    func attachToFrame(of context: OpaquePointer) throws(CodecFailure) {
        guard case .reference(let reference) = form else { return }
        try checked(ZSTD_DCtx_refPrefix(context, reference.bytes.baseAddress, reference.bytes.count))
    }
}
