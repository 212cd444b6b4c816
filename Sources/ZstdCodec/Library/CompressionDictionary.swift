internal import CZstd

/// What frames may refer to beside their own content: a dictionary, digested once for all contexts and frames that
/// share it, or a reference of which a frame is the difference.
///
/// Frames that were made with it can only be decompressed with it.
public final class CompressionDictionary: Sendable {
    /// Bytes of the largest dictionary that zstd's command takes; a reference may be larger.
    public static let sizeLimit: UInt64 = 32 << 20

    private enum Form: Sendable {
        /// `ZSTD_CDict`.
        case digest(Digest)
        /// To be digested by each context with parameters of its own, which only the experimental interface lets a
        /// digest have, or with a level that changes.
        case content([UInt8])
        case reference(any HeldMemory)
    }

    private let form: Form
    /// The number that frames ask for it by; 0 if it has none, as content that was not trained.
    public let identifier: UInt32

    /// Digests a dictionary, which is copied (`ZSTD_createCDict`).
    ///
    /// - Parameters:
    ///   - content: what `DictionaryTrainer` made, or whatever is like the content of the frames, of which less than 8
    ///     bytes are nothing.
    ///   - options: those of the contexts that it is for.
    /// - Throws: `damagedDictionary`, `outOfMemory`.
    public init(_ content: UnsafeRawBufferPointer, for options: CompressionOptions) throws(CodecFailure) {
        identifier = try dictionaryIdentifier(of: content)
        let level = Int32(clamping: options.level)
        // A digest has one level.
        form =
            options.parameters.isEmpty && options.adaptiveLevels == nil
            ? .digest(try Digest(ZSTD_createCDict(content.baseAddress, content.count, level)) { ZSTD_freeCDict($0) })
            : .content(Array(content))
    }

    /// Content of which frames are the difference (`ZSTD_CCtx_refPrefix`); `CompressionOptions.reach` lets them reach
    /// it.
    package init(reference: any HeldMemory) {
        identifier = 0
        form = .reference(reference)
    }

    /// Bytes that it holds, beside what is counted by each context.
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

    /// Lets the next frame refer to it, if that is needed for each.
    func attachToFrame(of context: OpaquePointer) throws(CodecFailure) {
        guard case .reference(let reference) = form else { return }
        try checked(ZSTD_CCtx_refPrefix(context, reference.bytes.baseAddress, reference.bytes.count))
    }
}
