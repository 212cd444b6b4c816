internal import CZstd

/// The counterpart of `CompressionDictionary`: a dictionary, digested once for all contexts, or a reference.
///
///     let dictionary = try DecompressionDictionary(trained.span.bytes)
///     let content = try Decompression(dictionary: dictionary).decompress(frame.span.bytes, limit: 1 << 20)
public final class DecompressionDictionary: Sendable {
    /// Owns a `ZSTD_DDict`, which any number of threads may read (zstd.h, "Bulk processing dictionary API").
    private final class Digest: Sendable {
        nonisolated(unsafe) let pointer: OpaquePointer

        init(pointer: OpaquePointer) { self.pointer = pointer }

        deinit { ZSTD_freeDDict(pointer) }
    }

    private enum Form: Sendable {
        case digest(Digest)
        case reference(any HeldMemory)
    }

    private let form: Form
    /// The identifier in frames (`ZSTD_getDictID_fromDict`); 0 if it has none.
    public let identifier: UInt32

    /// Implements the public initializer; throws `damagedDictionary`, `outOfMemory`.
    package init(digesting content: RawSpan) throws(CodecFailure) {
        (identifier, form) = try content.withUnsafeBytes { content throws(CodecFailure) in
            let identifier = try dictionaryIdentifier(of: content.bytes)
            let digest = ZSTD_createDDict(content.baseAddress, content.count)
            guard let digest else { throw .outOfMemory }
            return (identifier, .digest(Digest(pointer: digest)))
        }
    }

    /// A reference against which frames encode the difference (`ZSTD_DCtx_refPrefix`).
    package init(reference: any HeldMemory) {
        identifier = 0
        form = .reference(reference)
    }

    /// The memory that it holds, in bytes (`ZSTD_sizeof_DDict`).
    public var memory: Int {
        switch form {
        case .digest(let digest): ZSTD_sizeof_DDict(digest.pointer)
        case .reference(let reference): reference.bytes.count
        }
    }

    /// The window size in bytes that frames made with the reference can be expected to require: twice the reference. 0
    /// for a dictionary.
    package var window: UInt64 {
        guard case .reference(let reference) = form else { return 0 }
        return 2 * UInt64(reference.bytes.count)
    }

    /// Makes all frames of a context use it as the dictionary.
    func attach(to context: OpaquePointer) throws(CodecFailure) {
        guard case .digest(let digest) = form else { return }
        try checked(ZSTD_DCtx_refDDict(context, digest.pointer))
    }

    /// Makes the next frame use it as the reference; libzstd forgets a reference after each frame.
    func attachToFrame(of context: OpaquePointer) throws(CodecFailure) {
        guard case .reference(let reference) = form else { return }
        try checked(ZSTD_DCtx_refPrefix(context, reference.bytes.baseAddress, reference.bytes.count))
    }
}
