internal import CZstd

/// The counterpart of `CompressionDictionary`, digested once for all contexts.
public final class DecompressionDictionary: Sendable {
    private enum Form: Sendable {
        /// The address of a `ZSTD_DDict`.
        case digest(UInt)
        case reference(any HeldMemory)
    }

    private let form: Form
    /// The identifier that frames name it by (`ZSTD_getDictID_fromDict`); 0 if it has none.
    public let identifier: UInt32

    /// What the public initializer does; throws `damagedDictionary`, `outOfMemory`.
    package init(digesting content: RawSpan) throws(CodecFailure) {
        (identifier, form) = try content.withUnsafeBytes { content throws(CodecFailure) in
            let identifier = try dictionaryIdentifier(of: content)
            let digest = ZSTD_createDDict(content.baseAddress, content.count)
            guard let digest else { throw .outOfMemory }
            return (identifier, .digest(UInt(bitPattern: digest)))
        }
    }

    /// A reference that frames are the difference to (`ZSTD_DCtx_refPrefix`).
    package init(reference: any HeldMemory) {
        identifier = 0
        form = .reference(reference)
    }

    deinit { if case .digest(let address) = form { ZSTD_freeDDict(OpaquePointer(bitPattern: address)) } }

    /// Bytes that it holds (`ZSTD_sizeof_DDict`).
    public var memory: Int {
        switch form {
        case .digest(let address): ZSTD_sizeof_DDict(OpaquePointer(bitPattern: address))
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
        guard case .digest(let address) = form else { return }
        try checked(ZSTD_DCtx_refDDict(context, OpaquePointer(bitPattern: address)))
    }

    /// Lets the next frame refer to a reference, which libzstd forgets after each frame.
    func attachToFrame(of context: OpaquePointer) throws(CodecFailure) {
        guard case .reference(let reference) = form else { return }
        try checked(ZSTD_DCtx_refPrefix(context, reference.bytes.baseAddress, reference.bytes.count))
    }
}
