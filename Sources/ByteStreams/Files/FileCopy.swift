package import SystemPackage

/// Appends bytes of files to a descriptor, inside the kernel where possible, so that file systems can share blocks.
package struct FileCopy {
    /// The size of a read in bytes, where the kernel does not copy.
    private static let bufferSize = 1 << 20

    private let output: FileDescriptor
    /// Nil as long as the kernel copies.
    private var buffer: [UInt8]?
    /// Bytes written so far.
    package private(set) var written: UInt64 = 0

    package init(to output: FileDescriptor) { self.output = output }

    /// Writes bytes from memory.
    ///
    /// - Throws: `writing`.
    package mutating func append(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        try Failure.writing(output.writeEverything(bytes))
        written += UInt64(bytes.count)
    }

    /// Copies bytes of a file.
    ///
    /// - Parameter look: is shown all bytes before they are written; rules out copying inside the kernel.
    /// - Returns: the number of bytes copied, at most `count`; 0 at the end of the file.
    /// - Throws: `reading`, `writing`.
    package mutating func append(
        from input: FileDescriptor, at offset: UInt64, most count: UInt64,
        look: ((RawSpan) -> Void)? = nil
    ) throws(Failure) -> UInt64 {
        if buffer == nil, look == nil {
            let moved = UInt64(input.copy(Int(clamping: count), from: offset, to: output))
            written += moved
            if moved > 0 { return moved }
            // Not every file system supports copying. Reading and writing also tell which side failed.
            buffer = [UInt8](repeating: 0, count: Self.bufferSize)
        }
        var bytes = buffer.take() ?? [UInt8](repeating: 0, count: Self.bufferSize)
        defer { buffer = bytes }
        let count = min(Int(clamping: count), bytes.count)
        let taken = min(count, try Failure.reading(input.fill(&bytes, atLeast: count, from: offset)))
        look?(bytes.span.bytes.extracting(..<taken))
        try append(bytes[..<taken])
        return UInt64(taken)
    }
}
