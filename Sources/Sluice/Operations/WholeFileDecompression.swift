internal import ForeignCodec
internal import ZstdCodec

/// The frames of a small file become their content.
final class WholeFileDecompression: WholeFileTransform {
    let sizeLimit = WholeFileWorker.sizeLimit
    private let limits: DecodingLimits
    private var transform: DecompressTransform

    /// - Parameter dictionary: what the frames may refer to.
    init(limits: DecodingLimits, dictionary: DecompressionDictionary? = nil) throws(Failure) {
        transform = try DecompressTransform(limits: limits, dictionary: dictionary)
        self.limits = limits
    }

    /// What all the frames decompress to at most; nil if that is too much to be held at once, or is not only frames.
    func bound(of file: UnsafeRawBufferPointer) throws(Failure) -> Int? {
        var scanner = CheckedScanner(limits: limits)
        var (bound, isForeign) = (UInt64(0), false)
        try codec { () throws(CodecFailure) in
            var rest = file
            while !rest.isEmpty {
                if scanner.current == nil, ForeignFormat(magic: rest.prefix(ForeignFormat.magicSize)) != nil {
                    isForeign = true
                    return
                }
                let (scanned, ended) = try scanner.scan(rest)
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(scanned))
                guard let ended else { continue }
                if !ended.isSkippable { bound += ended.decompressedBound }
            }
            try scanner.finish()
        }
        return isForeign || bound > 8 * sizeLimit ? nil : Int(bound)
    }

    func apply(_ file: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        try transform.apply(file, into: memory)
    }
}
