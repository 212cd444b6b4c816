/// Compresses small files to one frame each.
final class WholeFileCompression: WholeFileTransform {
    let sizeLimit: UInt64
    private var transform: CompressTransform
    private var proof: FrameProof?

    init(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil, verification: Verification? = nil
    ) throws(Failure) {
        if let verification { proof = try FrameProof(verification) }
        transform = try CompressTransform(options, dictionary: dictionary)
        // A larger file may become several frames.
        sizeLimit = UInt64(
            options.cutsByContent ? ContentCut(most: options.effectiveFrameSize).least : options.effectiveFrameSize)
    }

    func bound(of file: UnsafeRawBufferPointer) -> Int? { CompressionOptions.bound(file.count) }

    func apply(_ file: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let size = try transform.apply(file, into: memory)
        try proof?.prove(UnsafeRawBufferPointer(rebasing: memory[..<size]), of: file)
        return size
    }
}
