internal import CZstd

/// Content that frames may refer to besides their own: a dictionary, digested once for all contexts, or a reference
/// that a frame is the difference to.
///
/// Frames that were made with it can only be decompressed with it.
public final class CompressionDictionary: Sendable {
    /// Bytes of the largest dictionary that zstd's command takes; a reference may be larger.
    public static let sizeLimit = 32 << 20

    private enum Form: Sendable {
        /// A `ZSTD_CDict`.
        case digest(Digest)
        /// Digested by each context, for parameters that only the experimental interface gives a `ZSTD_CDict`, or for a
        /// level that changes.
        case content([UInt8])
        case reference(any HeldMemory)
    }

    private let form: Form
    /// The identifier that frames name it by; 0 for content that was not trained.
    public let identifier: UInt32

    /// Digests a copy of a dictionary (`ZSTD_createCDict`).
    ///
    /// - Parameters:
    ///   - content: the result of `DictionaryTrainer`, or content like that of the frames; fewer than 8 bytes have no
    ///     effect.
    ///   - options: those of the contexts that will use it.
    /// - Throws: `damagedDictionary`, `outOfMemory`.
    package init(_ content: UnsafeRawBufferPointer, for options: CompressionOptions) throws(CodecFailure) {
        identifier = try dictionaryIdentifier(of: content)
        let level = Int32(clamping: options.level)
        // A `ZSTD_CDict` has one level.
        form =
            options.parameters.isEmpty && options.adaptiveLevels == nil
            ? .digest(try Digest(ZSTD_createCDict(content.baseAddress, content.count, level)) { ZSTD_freeCDict($0) })
            : .content(Array(content))
    }

    /// A reference that frames are the difference to (`ZSTD_CCtx_refPrefix`), within `CompressionOptions.reach`.
    package init(reference: any HeldMemory) {
        identifier = 0
        form = .reference(reference)
    }

    /// Bytes that it holds, apart from those that each context counts.
    public var memory: Int {
        switch form {
        case .digest(let digest): ZSTD_sizeof_CDict(digest.pointer)
        case .content(let content): content.count
        case .reference(let reference): reference.bytes.count
        }
    }

    /// Lets all frames of a context refer to it.
    func attach(to context: OpaquePointer) throws(CodecFailure) {
        switch form {
        case .digest(let digest): try checked(ZSTD_CCtx_refCDict(context, digest.pointer))
        case .content(let content): try checked(ZSTD_CCtx_loadDictionary(context, content, content.count))
        case .reference: break
        }
    }

    /// Lets the next frame refer to a reference, which libzstd forgets after each frame.
    func attachToFrame(of context: OpaquePointer) throws(CodecFailure) {
        guard case .reference(let reference) = form else { return }
        try checked(ZSTD_CCtx_refPrefix(context, reference.bytes.baseAddress, reference.bytes.count))
    }
}
