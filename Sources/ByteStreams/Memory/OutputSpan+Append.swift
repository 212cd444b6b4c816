extension OutputRawSpan {
    /// Appends what `body` writes to the free capacity.
    ///
    /// - Parameter body: returns how many bytes it has written at the start of its buffer.
    package mutating func append(_ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int) throws(Failure) {
        try withUnsafeMutableBytes { memory, count throws(Failure) in
            count += try body(memory.extracting(count...))
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends what `body` writes to the free capacity, as bytes of a type.
    package mutating func append(_ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int) throws(Failure) {
        try withUnsafeMutableBufferPointer { memory, count throws(Failure) in
            count += try body(UnsafeMutableRawBufferPointer(memory.extracting(count...)))
        }
    }
}
