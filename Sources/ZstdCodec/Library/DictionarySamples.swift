/// Samples of typical content, on which a dictionary is trained.
public struct DictionarySamples: Sendable {
    /// The most bytes of a sample; a dictionary only helps at the beginning of content.
    public static let sampleLimit = 128 << 10
    /// The most bytes of all samples.
    public static let totalLimit = (2 << 30) - 1

    private(set) var bytes: [UInt8] = []
    private(set) var sizes: [Int] = []

    /// Creates an empty set of samples.
    public init() {}

    /// The number of samples; training needs 5 or more.
    public var count: Int { sizes.count }
    /// Bytes of all samples; a hundred times the size of the dictionary is a good measure.
    public var byteCount: Int { bytes.count }

    /// Adds content as one sample, or cut into several.
    ///
    /// - Parameters:
    ///   - content: cut off at `sampleLimit` if it is one sample.
    ///   - blockSize: bytes of each sample but the last, from 1 to `sampleLimit`; nil for one sample.
    /// - Returns: whether there was room for the samples.
    public mutating func append(_ content: RawSpan, blockSize: Int? = nil) -> Bool {
        content.withUnsafeBytes { content in
            var rest = content[...]
            repeat {
                let sample = rest.prefix(min(max(1, blockSize ?? Self.sampleLimit), Self.sampleLimit))
                if sample.isEmpty { return true }
                guard sample.count <= Self.totalLimit - bytes.count else { return false }
                bytes += sample
                sizes.append(sample.count)
                rest = rest.dropFirst(sample.count)
            } while blockSize != nil
            return true
        }
    }
}
