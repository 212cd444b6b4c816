internal import Glibc

extension HeapMemory: HeldMemory {
    /// Reads a file or a pipe to its end: a dictionary, or the reference of a patch.
    ///
    /// A file is not mapped, since truncating a mapped file kills the process that reads it.
    ///
    /// - Parameter limit: the most bytes that it may have.
    /// - Throws: `reading`, `sourceShrank`, `tooLargeToHold`, or `codec` for `outOfMemory`.
    package convenience init(contentOf source: Source, limit: UInt64) throws(Failure) {
        let descriptor = try source.requireDescriptor()
        if let size = source.size, size > limit { throw .tooLargeToHold(limit: limit) }
        // One more byte shows whether the content exceeds the limit. No memory has more than Int.max bytes.
        let room = Int(clamping: min(limit, UInt64(Int.max) - 1)) + 1
        var memory = GrowingMemory()
        try memory.grow(to: min(Int(clamping: source.size ?? 64 << 10), room - 1) + 1)
        while true {
            let rest = memory.rest
            let count = try Failure.reading(descriptor.fill(rest))
            memory.count += count
            if UInt64(memory.count) > limit { throw .tooLargeToHold(limit: limit) }
            if count < rest.count { break }
            try memory.grow(to: min(2 * memory.count, room))
        }
        if let size = source.size, UInt64(memory.count) < size {
            throw .sourceShrank(expected: size, read: UInt64(memory.count))
        }
        self.init(memory.finish())
    }
}

/// Memory of the C library, whose allocation may fail; Swift's own would end the process.
private struct GrowingMemory: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// Bytes in use.
    var count = 0

    deinit { free(memory.baseAddress) }

    var rest: UnsafeMutableRawBufferPointer { memory.extracting(count...) }

    mutating func grow(to capacity: Int) throws(Failure) {
        guard let larger = realloc(memory.baseAddress, capacity) else { throw .outOfMemory }
        memory = UnsafeMutableRawBufferPointer(start: larger, count: capacity)
    }

    consuming func finish() -> UnsafeMutableRawBufferPointer {
        let used = memory.extracting(..<count)
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        return used
    }
}

extension HeapMemory {
    /// Generates content of a chosen compressibility: words of a skewed alphabet, and repetitions of earlier bytes.
    ///
    /// The same parameters give the same bytes everywhere.
    ///
    /// - Parameters:
    ///   - size: bytes.
    ///   - repetition: the share that repeats earlier content, 0 to 1.
    /// - Throws: `codec` for `outOfMemory`.
    package convenience init(syntheticBytes size: Int, repetition: Double) throws(Failure) {
        let memory = try OutputBuffer.allocate(size)
        var random = Xorshift()
        let letters = HeapMemory.letters(skew: repetition / 4.5)
        var position = 0
        while position < size {
            let length = min(size - position, random.length())
            if position > 0, random.fraction() < repetition {
                // From a window of 32 KiB; source and copy may overlap.
                let distance = 1 + random.next(below: min(position, 32 << 10))
                for _ in 0..<length + 4 where position < size {
                    memory[position] = memory[position - distance]
                    position += 1
                }
            } else {
                for _ in 0..<length {
                    memory[position] = letters[random.next(below: letters.count)]
                    position += 1
                }
            }
        }
        self.init(memory)
    }

    /// Gives each of 64 letters in turn this share of the remaining places.
    private static func letters(skew: Double) -> [UInt8] {
        var letters: [UInt8] = []
        let places = 8192
        var letter: UInt8 = 0
        while letters.count < places {
            let count = max(1, Int(clamping: Double(places - letters.count) * skew))
            letters += Array(repeating: UInt8(ascii: "0") + letter % 64, count: count)
            letter &+= 1
        }
        return letters
    }
}

/// Marsaglia's generator: small, and the same everywhere.
private struct Xorshift {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    private mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func next(below limit: Int) -> Int { Int(next() >> 33) % limit }
    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
    /// Mostly short, seldom long, at least 1.
    mutating func length() -> Int { 1 + (next(below: 8) == 0 ? 15 + next(below: 512) : next(below: 16)) }
}
