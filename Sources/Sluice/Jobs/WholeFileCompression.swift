internal import ZstdCodec

/// A small file becomes one frame.
final class WholeFileCompression: WholeFileTransform {
    let sizeLimit: UInt64
    private var transform: CompressTransform

    init(_ options: CompressionOptions, dictionary: CompressionDictionary? = nil) throws(Failure) {
        transform = try CompressTransform(options, dictionary: dictionary)
        // What is longer may be several frames.
        let frameSize = options.cutsByContent ? ContentCut(most: options.frameSize).least : options.frameSize
        sizeLimit = UInt64(frameSize)
    }

    func bound(of file: UnsafeRawBufferPointer) -> Int? { CompressionOptions.bound(file.count) }

    func apply(_ file: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        try transform.apply(file, into: memory)
    }
}
