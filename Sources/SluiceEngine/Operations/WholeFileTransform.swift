/// Transforms small files held in contiguous memory. Each worker has its own.
package protocol WholeFileTransform: AnyObject {
    /// The largest file in bytes; a larger one needs a run.
    var sizeLimit: UInt64 { get }
    /// The most bytes that the file becomes; nil if that is too much to hold at once, or the file needs a run.
    func bound(of file: RawSpan) throws(Failure) -> Int?
    /// - Parameter memory: has room for the bound.
    /// - Returns: how many bytes the file became.
    func apply(_ file: RawSpan, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int
}

/// Compresses content in memory, such as a small file, to one frame.
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
            options.cutsByContent ? HashCut(most: options.effectiveFrameSize).least : options.effectiveFrameSize)
    }

    func bound(of file: RawSpan) -> Int? { CompressionOptions.bound(file.byteCount) }

    func apply(_ file: RawSpan, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let size: Int
        do throws(CodecFailure) { size = try compressor.compress(file, into: memory) } catch {
            throw memory.count < CompressionOptions.bound(file.byteCount) ? .noRoom(memory.count) : .codec(error)
        }
        try proof?.prove(memory.bytes.extracting(..<size), of: file)
        return size
    }
}

/// Decompresses small files.
final class WholeFileDecompression: WholeFileTransform {
    let sizeLimit = Job.largestWholeFile
    private let limits: DecodingLimits
    private var transform: DecompressTransform

    init(limits: DecodingLimits, dictionary: DecompressionDictionary? = nil) throws(Failure) {
        transform = try DecompressTransform(limits: limits, dictionary: dictionary)
        self.limits = limits
    }

    func bound(of file: RawSpan) throws(Failure) -> Int? {
        var (bound, haveChecksums) = (UInt64(0), true)
        do throws(CodecFailure) {
            let end = try limits.check(file, ignoresZeros: true) { frame in
                if frame.isSkippable { return }
                bound += frame.decompressedBound
                haveChecksums = haveChecksums && frame.checksum != nil
            }
            // A run decides whether zeros may follow, and whether a table proves frames without checksums.
            let mayBeListed = !haveChecksums && SeekTable.ends(file)
            return end < file.byteCount || bound > 8 * sizeLimit || mayBeListed ? nil : Int(bound)
        } catch {
            // A run decodes what is in another format.
            let rest = file.extracting(droppingFirst: Int(error.offset ?? 0)).extracting(first: ForeignFormat.magicSize)
            switch error {
            case .notZstandard, .trailingBytes: if ForeignFormat(magic: Array(copying: rest)) != nil { return nil }
            default: break
            }
            throw .codec(error)
        }
    }

    func apply(_ file: RawSpan, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        try transform.decompress(file, into: memory)
    }
}
