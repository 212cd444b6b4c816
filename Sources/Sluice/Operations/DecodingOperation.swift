/// An operation that decodes frames as a decompression does, and takes what it takes.
protocol DecodingOperation: Operation {
    /// How frames are decoded, and which are refused.
    var decompression: Decompression { get }
}

extension DecodingOperation {
    var decompresses: Bool { true }
    var mayBypassCache: Bool { false }
    var slotSize: Int { decompression.slotSize }
    func memory(of size: RunSize) -> Int { decompression.memory(of: size) }
}
