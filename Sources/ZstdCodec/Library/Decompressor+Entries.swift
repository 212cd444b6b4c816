extension Decompressor {
    /// Decompresses whole entries of an index, each of which must have exactly the content that it says. A checksum
    /// that only the seek table has is verified as the frame's own would be.
    ///
    /// - Parameters:
    ///   - bytes: those of the entries, from `offset` in the file on.
    ///   - content: room for what the entries say.
    /// - Throws: as for other frames; `damagedSeekTable`, or `corrupt` for another index, if the index is wrong.
    package mutating func decompress(
        _ bytes: UnsafeRawBufferPointer, from offset: UInt64, in index: FrameIndex,
        into content: UnsafeMutableRawBufferPointer
    ) throws(CodecFailure) {
        var (rest, room, position) = (bytes, content, index.position(ofInput: offset) ?? index.count)
        while !rest.isEmpty {
            let entry = index[position]
            let frames = UnsafeRawBufferPointer(rebasing: rest[..<entry.input.count])
            let memory = UnsafeMutableRawBufferPointer(rebasing: room[..<entry.content.count])
            let start = entry.input.lowerBound
            let count = try decompress(frames, into: memory, offset: start)
            try index.check(contentSize: UInt64(count), ofEntry: position)
            if verifiesChecksums, let checksum = entry.checksum, FrameHeader(ofFrame: frames)?.hasChecksum == false,
                checksum != ContentChecksum.of(UnsafeRawBufferPointer(memory))
            {
                // Either of the two may be damaged.
                let reason = "its content does not match the seek table's checksum, and the frame has none"
                throw .corrupt(reason: reason, offset: start)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[frames.count...])
            room = UnsafeMutableRawBufferPointer(rebasing: room[memory.count...])
            position += 1
        }
    }
}
