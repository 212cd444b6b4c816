package import SystemPackage

/// Appends bytes of files to a descriptor, within the kernel as long as it can: some file systems then share blocks.
package struct FileCopy {
    /// Bytes of one read, where the kernel does not copy.
    private static let bufferSize = 1 << 20

    private let output: FileDescriptor
    /// Nil as long as the kernel copies.
    private var buffer: [UInt8]?
    /// Bytes that were written.
    package private(set) var written: UInt64 = 0

    package init(to output: FileDescriptor) { self.output = output }

    /// Writes bytes of no file.
    ///
    /// - Throws: `writing`.
    package mutating func append(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        try Failure.writing(output.writeEverything(bytes))
        written += UInt64(bytes.count)
    }

    /// Copies bytes of a file.
    ///
    /// - Parameter look: sees each byte before it is written, which takes reading them.
    /// - Returns: how many, at most `count`; 0 where the file ends.
    /// - Throws: `reading`, `writing`.
    package mutating func append(
        from input: FileDescriptor, at offset: UInt64, most count: UInt64,
        look: ((UnsafeRawBufferPointer) -> Void)? = nil
    ) throws(Failure) -> UInt64 {
        if buffer == nil, look == nil {
            let moved = UInt64(input.copy(Int(clamping: count), from: offset, to: output))
            written += moved
            if moved > 0 { return moved }
            // Not every file system copies; and reading and writing tell which side has failed.
            buffer = [UInt8](repeating: 0, count: Self.bufferSize)
        }
        var bytes = buffer.take() ?? [UInt8](repeating: 0, count: Self.bufferSize)
        defer { buffer = bytes }
        let count = min(Int(clamping: count), bytes.count)
        let taken = min(
            count, try Failure.reading(input.fill(&bytes, atLeast: count, from: offset)))
        if let look {
            bytes.span.bytes.withUnsafeBytes { look(UnsafeRawBufferPointer(rebasing: $0[..<taken])) }
        }
        try append(bytes[..<taken])
        return UInt64(taken)
    }
}
