internal import CZstd

/// Content that frames can refer to besides their own: a dictionary, digested once for all contexts, or a reference,
/// against which a frame encodes the difference.
///
/// Frames made with it can only be decompressed with it.
///
///     let options = CompressionOptions(level: 3)
///     let dictionary = try CompressionDictionary(trained.span.bytes, for: options)
///     let compression = Compression(options, dictionary: dictionary)
public final class CompressionDictionary: Sendable {
    /// The size of the largest dictionary that zstd's command accepts, in bytes; a reference may be larger.
    package static let sizeLimit = 32 << 20

    /// Owns a `ZSTD_CDict`, which any number of threads may read (zstd.h, "Bulk processing dictionary API").
    private final class Digest: Sendable {
        nonisolated(unsafe) let pointer: OpaquePointer

        init(pointer: OpaquePointer) { self.pointer = pointer }

        deinit { ZSTD_freeCDict(pointer) }
    }

    private enum Form: Sendable {
        case digest(Digest)
        /// Digested by each context: for parameters that only the experimental interface can give to a `ZSTD_CDict`, or
        /// for a level that changes.
        case content([UInt8])
        case reference(any HeldMemory)
    }

    private let form: Form
    /// The identifier in frames (`ZSTD_getDictID_fromDict`); 0 for content that was not trained.
    public let identifier: UInt32

    /// Implements the public initializer; throws `damagedDictionary`, `outOfMemory`.
    package init(digesting content: RawSpan, for options: CompressionOptions) throws(CodecFailure) {
        (identifier, form) = try content.withUnsafeBytes { content throws(CodecFailure) in
            let identifier = try dictionaryIdentifier(of: content.bytes)
            // A `ZSTD_CDict` has a fixed level.
            guard options.parameters.isEmpty, options.adaptiveLevels == nil else {
                return (identifier, .content(Array(content)))
            }
            let level = Int32(clamping: options.level)
            let digest = ZSTD_createCDict(content.baseAddress, content.count, level)
            guard let digest else { throw .outOfMemory }
            return (identifier, .digest(Digest(pointer: digest)))
        }
    }

    /// A reference against which frames encode the difference (`ZSTD_CCtx_refPrefix`), within
    /// `CompressionOptions.reach`.
    package init(reference: any HeldMemory) {
        identifier = 0
        form = .reference(reference)
    }

    /// The memory that it holds in bytes, without that counted by each context (`ZSTD_sizeof_CDict`).
    public var memory: Int {
        switch form {
        case .digest(let digest): ZSTD_sizeof_CDict(digest.pointer)
        case .content(let content): content.count
        case .reference(let reference): reference.bytes.count
        }
    }

    /// Whether it is digested once instead of by each context.
    var isDigested: Bool { if case .digest = form { true } else { false } }

    /// Makes all frames of a context use it as the dictionary.
    func attach(to context: OpaquePointer) throws(CodecFailure) {
        switch form {
        case .digest(let digest): try checked(ZSTD_CCtx_refCDict(context, digest.pointer))
        case .content(let content): try checked(ZSTD_CCtx_loadDictionary(context, content, content.count))
        case .reference: break
        }
    }

    /// Makes the next frame use it as the reference; libzstd forgets a reference after each frame.
    func attachToFrame(of context: OpaquePointer) throws(CodecFailure) {
        guard case .reference(let reference) = form else { return }
        try checked(ZSTD_CCtx_refPrefix(context, reference.bytes.baseAddress, reference.bytes.count))
    }
}

/// An object that keeps bytes unchanged and at the same address for its lifetime.
package protocol HeldMemory: AnyObject, Sendable {
    /// Valid while the caller keeps a reference to the object, as `withUnsafeBytes` does.
    var bytes: UnsafeRawBufferPointer { get }
}

extension HeldMemory {
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(bytes)
    }
}
