extension FrameScanner {
    /// Bytes that tell whether a frame begins.
    package static let magicSize = 4

    /// Whether bytes begin like a frame, skippable and legacy ones included.
    package static func isFrame(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= magicSize else { return false }
        let magic = bytes.littleEndian(at: 0, as: UInt32.self)
        return magic == FrameFormat.magic || FrameFormat.skippableMagics.contains(magic)
            || FrameFormat.legacyMagics.contains(magic)
    }

    /// Where the first bytes are that begin like a frame, skippable ones included; nil if there are none.
    package static func firstMagic(in bytes: UnsafeRawBufferPointer) -> Int? {
        var position = 0
        while position + magicSize <= bytes.count {
            let magic = bytes.littleEndian(at: position, as: UInt32.self)
            if magic == FrameFormat.magic || FrameFormat.skippableMagics.contains(magic) { return position }
            position += 1
        }
        return nil
    }
}
