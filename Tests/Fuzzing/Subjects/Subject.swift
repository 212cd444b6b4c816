/// Something that reads bytes of strangers: whatever they are, it neither crashes nor hangs, and keeps its word.
package struct Subject: Sendable {
    /// What the fuzzer tries: the first byte of its input says which.
    package static let all: [Subject] = [
        .scanning, .table, .decoding, .access, .recovery, .trailer, .resumption, .index, .dictionary,
        .archive, .members, .gzip, .keys, .profiles, .parity,
    ]
    /// Content beyond this takes too long to be tried often, in bytes.
    static let mostContent = 2 << 20

    /// In a word.
    package let name: String
    private let examination: @Sendable (ArraySlice<UInt8>) throws -> Void

    init(_ name: String, _ examination: @escaping @Sendable (ArraySlice<UInt8>) throws -> Void) {
        (self.name, self.examination) = (name, examination)
    }

    /// Tries one input.
    ///
    /// - Throws: `BrokenPromise`, or what the system refuses.
    package static func examine(_ input: [UInt8]) throws {
        guard let first = input.first else { return }
        let subject = all[Int(first) % all.count]
        do {
            try subject.examination(input.dropFirst())
        } catch let broken as BrokenPromise {
            throw BrokenPromise(description: "\(subject.name): \(broken)")
        }
    }
}

/// What should never be, in a sentence.
package struct BrokenPromise: Error, CustomStringConvertible {
    package let description: String
}

/// - Throws: `BrokenPromise` if that does not hold.
func promise(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
    if !holds { throw BrokenPromise(description: sentence()) }
}

extension ArraySlice<UInt8> {
    /// Takes a number from the front: 0 where nothing is left.
    mutating func takeNumber<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
        var number: Number = 0
        for place in 0..<Number.bitWidth / 8 {
            guard let byte = popFirst() else { break }
            number |= Number(truncatingIfNeeded: UInt64(byte) << (8 * place))
        }
        return number
    }

    /// Takes so many bytes from the front, or all that are left.
    mutating func take(_ count: Int) -> [UInt8] {
        defer { self = dropFirst(count) }
        return Array(prefix(count))
    }
}
