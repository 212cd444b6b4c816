/// What a dictionary is trained on: many pieces of content such as it will be for.
public struct DictionarySamples: Sendable {
    /// The most bytes that a sample has: a dictionary is of use at the beginning of content only.
    public static let sampleLimit = 128 << 10
    /// The most bytes that all of them have.
    public static let totalLimit = (2 << 30) - 1

    private(set) var bytes: [UInt8] = []
    private(set) var sizes: [Int] = []

    /// None yet.
    public init() {}

    /// How many there are; fewer than 5 are too few.
    public var count: Int { sizes.count }
    /// Bytes of all of them; a hundred times the dictionary is a good measure.
    public var byteCount: Int { bytes.count }

    /// Takes content as one sample, or cuts it into several.
    ///
    /// - Parameters:
    ///   - content: if it is not cut, what is beyond the limit of a sample is left out.
    ///   - blockSize: bytes of each sample but the last, from 1 to the limit of a sample; nil for one sample.
    /// - Returns: whether there was room for all that a sample may have.
    public mutating func append(_ content: UnsafeRawBufferPointer, blockSize: Int? = nil) -> Bool {
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
