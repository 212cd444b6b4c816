/// Decompresses small files.
final class WholeFileDecompression: WholeFileTransform {
    let sizeLimit = Job.largestWholeFile
    private let limits: DecodingLimits
    private var transform: DecompressTransform

    init(limits: DecodingLimits, dictionary: DecompressionDictionary? = nil) throws(Failure) {
        transform = try DecompressTransform(limits: limits, dictionary: dictionary)
        self.limits = limits
    }

    func bound(of file: UnsafeRawBufferPointer) throws(Failure) -> Int? {
        var bound = UInt64(0)
        do throws(CodecFailure) {
            let end = try limits.check(file, ignoresZeros: true) { frame in
                if !frame.isSkippable { bound += frame.decompressedBound }
            }
            // Whether zeros may follow is decided by a run.
            return end < file.count || bound > 8 * sizeLimit ? nil : Int(bound)
        } catch {
            let rest = file.dropFirst(Int(error.offset ?? 0)).prefix(ForeignFormat.magicSize)
            switch error {
            case .notZstandard, .trailingBytes: if ForeignFormat(magic: rest) != nil { return nil }
            default: break
            }
            throw .codec(error)
        }
    }

    func apply(_ file: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        try transform.decompress(file, into: memory)
    }
}
