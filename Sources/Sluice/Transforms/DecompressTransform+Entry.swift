extension DecompressTransform {
    /// Reads and decodes what an entry of an index has, on the calling thread.
    ///
    /// - Returns: as many bytes as the entry says.
    /// - Throws: as `apply`; `reading`, `sourceShrank`.
    mutating func content(
        of position: Int, in index: FrameIndex, of source: Source, _ limits: DecodingLimits
    ) throws(Failure) -> OutputBuffer {
        let entry = index[position]
        let input = try OutputBuffer(capacity: entry.input.count)
        try source.read(entry.input, into: input.memory)
        let frames = try index.check(UnsafeRawBufferPointer(input.memory), ofEntry: position, limits)
        let output = try OutputBuffer(capacity: entry.content.count)
        output.populate()
        _ = try apply(frames, into: output.memory, offset: entry.input.lowerBound)
        return output
    }
}
