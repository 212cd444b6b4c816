extension Source {
    /// The size of the file.
    ///
    /// - Throws: `sizeUnknown` for a stream, or a file with more bytes than its size, as in /proc.
    func knownSize() throws(Failure) -> UInt64 {
        if let size { return size }
        guard isFile, try bytes(at: 0, count: 1) == nil else { throw .sizeUnknown }
        return 0
    }

    /// Whether the ends of frames, and what lies there, can be looked for without reading everything before them. Files
    /// in /proc report a size of 0, which means nothing.
    var canBeSearched: Bool { isRandomAccess && size != nil }
}
