extension CompressionOptions {
    /// The frame sizes that can be chosen, in bytes.
    public static let frameSizes = 1 << 10...SeekTable.maximumFrameSize

    /// The content size of each frame except the last that is actually used, in bytes.
    ///
    /// It is four windows of the level or more. For levels 1 to 9, the output is then at most half a percent larger
    /// than that of `zstd -T` (docs/decisions/frame-ends.md).
    package var effectiveFrameSize: Int {
        var size = ownFrameSize
        // A frame has to fit between two multiples for any content.
        while let alignment, size > 1, Self.bound(size) + FrameAlignment.reserve > alignment { size /= 2 }
        return size
    }

    private var ownFrameSize: Int {
        if let frameSize { return min(max(1, frameSize), SeekTable.maximumFrameSize) }
        // A frame that begins at a slow level takes about one second.
        if adaptiveLevels != nil { return 2 << 20 }
        return switch level {
        case ...2: 4 << 20
        case 3...4: 8 << 20
        case 5...8: 12 << 20
        case 9...17: 24 << 20
        case 18...19: 32 << 20
        default: 128 << 20
        }
    }
}
