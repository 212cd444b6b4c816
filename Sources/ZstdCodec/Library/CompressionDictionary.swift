internal import CZstd

/// What frames may refer to beside their own content: a dictionary, digested once for all contexts and frames that share
/// it, or a reference of which a frame is the difference.
///
/// Frames that were made with it can only be decompressed with it.
public final class CompressionDictionary: Sendable {
    /// Bytes of the largest dictionary that zstd's command takes; a reference may be larger.
    public static let sizeLimit: UInt64 = 32 << 20

    private enum Form {
        /// `ZSTD_CDict`.
        case digest(OpaquePointer)
        /// To be digested by each context with parameters of its own, which only the experimental interface lets a digest have.
        case content([UInt8])
        case reference(any HeldMemory)
    }

    // libzstd only reads a digest, on however many threads (zstd.h, "Bulk processing dictionary API").
    nonisolated(unsafe) private let form: Form
    /// The number that frames ask for it by; 0 if it has none, as content that was not trained.
    public let identifier: UInt32

    /// Digests a dictionary, which is copied (`ZSTD_createCDict`).
    ///
    /// - Parameters:
    ///   - content: what `DictionaryTrainer` made, or whatever is like the content of the frames, of which less than 8 bytes
    ///     are nothing.
    ///   - options: those of the contexts that it is for.
    /// - Throws: `damagedDictionary`, `outOfMemory`.
    public init(_ content: UnsafeRawBufferPointer, for options: CompressionOptions) throws(CodecFailure) {
        try checkDictionary(content)
        identifier = ZSTD_getDictID_fromDict(content.baseAddress, content.count)
        if options.parameters.isEmpty {
            guard let digest = ZSTD_createCDict(content.baseAddress, content.count, Int32(clamping: options.level))
            else {
                throw .outOfMemory
            }
            form = .digest(digest)
        } else {
            form = .content(Array(content))
        }
    }

    /// Content of which frames are the difference (`ZSTD_CCtx_refPrefix`); `CompressionOptions.reach` lets them reach it.
    public init(reference: any HeldMemory) {
        identifier = 0
        form = .reference(reference)
    }

    deinit { if case .digest(let digest) = form { ZSTD_freeCDict(digest) } }

    /// Bytes that it holds, beside what is counted by each context.
    public var memory: Int {
        switch form {
        case .digest(let digest): ZSTD_sizeof_CDict(digest)
        case .content(let content): content.count
        case .reference(let reference): reference.bytes.count
        }
    }

    /// Lets all frames of a context refer to it.
    func attach(to context: OpaquePointer) throws(CodecFailure) {
        switch form {
        case .digest(let digest): try checked(ZSTD_CCtx_refCDict(context, digest))
        case .content(let content): try checked(ZSTD_CCtx_loadDictionary(context, content, content.count))
        case .reference: break
        }
    }

    /// Lets the next frame refer to it, if that is needed for each.
    func attachToFrame(of context: OpaquePointer) throws(CodecFailure) {
        guard case .reference(let reference) = form else { return }
        try checked(ZSTD_CCtx_refPrefix(context, reference.bytes.baseAddress, reference.bytes.count))
    }
}
