extension Sink {
    /// Writes with plain calls, and leaves out long runs of zeros where holes may be.
    ///
    /// - Throws: `writing`.
    package func write(_ content: UnsafeRawBufferPointer) throws(Failure) {
        var position = 0
        for hole in takesHoles ? Holes.find(in: content) : [] {
            try Failure.writing(descriptor.writeEverything(content[position..<hole.lowerBound]))
            try extend(by: UInt64(hole.count))
            position = hole.upperBound
        }
        try Failure.writing(descriptor.writeEverything(content[position...]))
    }
}
