internal import CParity

/// A description that was found in a file.
package struct FoundDescription: Equatable, Sendable {
    package let description: ParityDescription
    /// Where it lies in the file.
    package let input: Range<UInt64>
    /// Where the stream begins in the file, if nothing is missing or inserted before the description; negative if bytes
    /// before it are missing.
    package let start: Int64
}

/// Looks for descriptions in a file. What only looks like one is read a limited number of times.
package struct DescriptionSearch<Origin: ParityOrigin> {
    /// The bytes that are searched at once.
    private static var window: Int { 1 << 20 }
    private let origin: Origin
    /// How many bytes may still be searched for the tags of descriptions.
    private var depth: UInt64
    /// How many places may still be tried, and how many bytes of what looks like a description be hashed.
    private var (attempts, hashed) = (4096, 64 << 20)

    package init(_ origin: Origin, depth: UInt64) { (self.origin, self.depth) = (origin, depth) }

    /// The description that ends at an offset.
    package mutating func description(endingAt end: UInt64) throws(Origin.Failure) -> FoundDescription? {
        guard end >= 12, end <= origin.size, let back = try origin.bytes(at: end - 12, count: 12),
            let size = ParityDescription.size(endingIn: back.span.bytes), UInt64(size) <= end
        else { return nil }
        return try description(at: end - UInt64(size))
    }

    /// The last description that begins in a range.
    package mutating func last(in range: Range<UInt64>) throws(Origin.Failure) -> FoundDescription? {
        // A header, and seven bytes of a tag, may go on after the window.
        let overlap = UInt64(ParityFrame.headerSize)
        var (end, buffer) = (
            min(range.upperBound, origin.size), [UInt8](repeating: 0, count: Self.window + Int(overlap))
        )
        while end > range.lowerBound, depth > 0, attempts > 0 {
            let start = end - min(end - range.lowerBound, UInt64(Self.window))
            depth -= min(depth, end - start)
            let count = Int(min(origin.size, end + overlap) - start)
            try origin.fill(&buffer, count, from: start)
            var place = Int(end - start) + 8
            while attempts > 0 {
                place = sluice_find_last(buffer, count, place, ParityFrame.description.tag)
                if place == count { break }
                guard place >= 8 else { continue }
                // A tag without its magic number is no description.
                let header = buffer.span.bytes.extracting(place - 8..<place + 8)
                guard ParityFrame.kind(of: header) == .description else { continue }
                if let found = try description(at: start + UInt64(place) - 8) { return found }
            }
            end = start
        }
        return nil
    }

    /// The description at an offset.
    package mutating func description(at offset: UInt64) throws(Origin.Failure) -> FoundDescription? {
        guard attempts > 0, let front = try origin.bytes(at: offset, count: ParityDescription.size(sets: 0) - 12)
        else { return nil }
        attempts -= 1
        guard let size = ParityDescription.size(front.span.bytes), size <= hashed,
            let bytes = try origin.bytes(at: offset, count: size)
        else { return nil }
        hashed -= size
        guard let (description, position) = ParityDescription.decoded(bytes.span.bytes) else { return nil }
        guard description.leastSize <= origin.size else { return nil }
        // Only what is none is tried a limited number of times.
        (attempts, hashed) = (attempts + 1, hashed + size)
        return FoundDescription(
            description: description, input: offset..<offset + UInt64(size),
            start: Int64(offset) - Int64(position))
    }
}
