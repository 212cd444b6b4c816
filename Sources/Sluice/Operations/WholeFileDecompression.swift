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
        // Whether zeros may follow is decided by a run.
        var scanner = CheckedScanner(limits: limits, ignoresZeros: true)
        var (bound, rest) = (UInt64(0), file)
        while !rest.isEmpty {
            if scanner.current == nil, !FrameScanner.isFrame(rest),
                ForeignFormat(magic: rest.prefix(ForeignFormat.magicSize)) != nil
            {
                return nil
            }
            let (scanned, ended) = try codec(scanner.scan(rest))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(scanned))
            if let ended, !ended.isSkippable { bound += ended.decompressedBound }
        }
        try codec(scanner.finish())
        if scanner.zerosOffset != nil { return nil }
        return bound > 8 * sizeLimit ? nil : Int(bound)
    }

    func apply(_ file: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        try transform.decompress(file, into: memory)
    }
}
