extension Compression {
    /// The most bytes that content is compressed to (`ZSTD_compressBound`).
    ///
    /// - Parameter count: bytes of the content.
    public static func bound(of count: Int) -> Int { CompressionOptions.bound(count) }

    /// Compresses content in memory to one frame, on the calling thread (`ZSTD_compress2`). Nothing is copied.
    ///
    /// Contexts are kept for the next call, and shared by all copies of this value, which may be used by any number of
    /// threads at once. They are freed with the last copy.
    ///
    /// - Parameters:
    ///   - content: any number of bytes. Above a few MiB, a run is faster, because it uses all processors.
    ///   - frame: the frame is appended; `bound(of:)` bytes of free capacity suffice in any case.
    /// - Throws: `tooLarge` if the capacity does not suffice, `invalidOption`, `outOfMemory`, `verification`.
    public func compress(_ content: RawSpan, into frame: inout OutputRawSpan) throws(Failure) {
        try frame.append { room throws(Failure) in try compress(content, into: room) }
    }

    /// Compresses content in memory to one frame, into memory that has a type, such as that of a new array.
    ///
    /// - Parameters:
    ///   - content: any number of bytes.
    ///   - frame: the frame is appended; `bound(of:)` bytes of free capacity suffice in any case.
    /// - Throws: as with an `OutputRawSpan`.
    public func compress(_ content: RawSpan, into frame: inout OutputSpan<UInt8>) throws(Failure) {
        try frame.append { room throws(Failure) in try compress(content, into: room) }
    }

    /// Compresses content in memory to one frame, in a new array.
    ///
    ///     let frame = try Compression(level: 3).compress(Array("content".utf8).span.bytes)
    ///
    /// - Parameter content: any number of bytes.
    /// - Throws: `invalidOption`, `outOfMemory`, `verification`.
    public func compress(_ content: RawSpan) throws(Failure) -> [UInt8] {
        try [UInt8](capacity: Self.bound(of: content.byteCount)) { frame throws(Failure) in
            try compress(content, into: &frame)
        }
    }

    private func compress(_ content: RawSpan, into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let room = LentMemory(room)
        return try contexts.withValue { () throws(Failure) in
            try FrameMaker(options, dictionary: dictionary, verification: verification)
        } _: { maker throws(Failure) in
            try maker.apply(content, into: room.writable)
        }
    }
}
