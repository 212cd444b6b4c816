extension FrameScanner {
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
