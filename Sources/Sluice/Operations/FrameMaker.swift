/// Compresses what is in memory, such as a small file, to one frame each.
final class FrameMaker: WholeFileTransform {
    let sizeLimit: UInt64
    private var compressor: Compressor
    private var proof: FrameProof?

    init(
        _ options: CompressionOptions, dictionary: CompressionDictionary? = nil, verification: Verification? = nil
    ) throws(Failure) {
        if let verification { proof = try FrameProof(verification) }
        compressor = try codec(Compressor(options, dictionary: dictionary))
        // A larger file may become several frames.
        sizeLimit = UInt64(
            options.cutsByContent ? ContentCut(most: options.effectiveFrameSize).least : options.effectiveFrameSize)
    }

    func bound(of file: UnsafeRawBufferPointer) -> Int? { CompressionOptions.bound(file.count) }

    func apply(_ file: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let size: Int
        do throws(CodecFailure) { size = try compressor.compress(file, into: memory) } catch {
            throw memory.count < CompressionOptions.bound(file.count) ? .noRoom(memory.count) : .codec(error)
        }
        try proof?.prove(UnsafeRawBufferPointer(rebasing: memory[..<size]), of: file)
        return size
    }
}
