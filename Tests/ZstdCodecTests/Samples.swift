@testable import ZstdCodec

/// A skippable frame, with a size that need not be the content's.
func skippable(_ content: [UInt8], magic: UInt32 = 0x184D_2A50, size: UInt32? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(magic)
    bytes.appendLittleEndian(size ?? UInt32(content.count))
    return bytes + content
}

/// A frame that is made by hand, to say what no compressor says.
struct HandmadeFrame {
    /// RFC 8878, 3.1.1.1.1: the frame header descriptor, and what it announces.
    var descriptor: UInt8 = 0b0010_0000
    var fields: [UInt8] = [0]
    /// RFC 8878, 3.1.1.2: a type (0 raw, 1 repeated, 2 compressed, 3 reserved), a size, and the bytes that follow.
    var blocks: [(type: Int, size: Int, bytes: [UInt8])] = [(0, 0, [])]

    var bytes: [UInt8] {
        var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, descriptor] + fields
        for (index, block) in blocks.enumerated() {
            let number = block.size << 3 | block.type << 1 | (index == blocks.count - 1 ? 1 : 0)
            bytes += [UInt8(number & 255), UInt8(number >> 8 & 255), UInt8(number >> 16 & 255)] + block.bytes
        }
        return bytes
    }
}

/// The frames of an input that comes in these pieces, and then ends.
func scan(_ pieces: [ArraySlice<UInt8>]) throws -> [FrameScanner.Frame] {
    var scanner = FrameScanner()
    var frames: [FrameScanner.Frame] = []
    for piece in pieces {
        var rest = piece
        while !rest.isEmpty {
            let (scanned, ended) = try scanner.scan(rest.span.bytes)
            rest = rest.dropFirst(scanned)
            if let ended { frames.append(ended) }
        }
    }
    try scanner.finish()
    return frames
}

func scan(_ bytes: [UInt8]) throws -> [FrameScanner.Frame] {
    try scan([bytes[...]])
}

extension [UInt8] {
    func parsed<Value>(_ parse: (RawSpan) throws -> Value) rethrows -> Value {
        try parse(span.bytes)
    }
}

/// Lines that are much alike, one a sample.
func records(_ count: Int) -> [[UInt8]] {
    (0..<count).map { number in
        let (first, second) = (number * 7919 % 1000, number * 104_729 % 1000)
        let name = "\"name\": \"user\(first)\", \"mail\": \"u\(second)@example.org\""
        return Array("{\"id\": \(number), \(name), \"is\": true}\n".utf8)
    }
}

func samples(_ contents: [[UInt8]], blockSize: Int? = nil) -> DictionarySamples {
    var samples = DictionarySamples()
    for content in contents { _ = samples.append(content.span.bytes, blockSize: blockSize) }
    return samples
}

/// A dictionary for records.
func trained(identifier: UInt32 = 0) throws -> [UInt8] {
    var trainer = DictionaryTrainer()
    (trainer.sizeLimit, trainer.identifier) = (2000, identifier)
    return try trainer.makeDictionary(from: samples(records(500)))
}
