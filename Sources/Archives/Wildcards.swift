internal import ZstdCodec

/// A pattern with the wildcards `*`, `?` and `[...]` of <fnmatch.h>, which also match slashes.
///
/// The library's own function takes time that grows with the square of a name, for each further star, and every name
/// comes from a stranger. Here a star never gives back what a later one has begun after, so that the time grows with
/// the size of the name times that of the pattern. The answer does not depend on the locale either: a character is one
/// of UTF-8, or a byte that belongs to none.
struct Wildcards: Sendable {
    private enum Atom: Sendable {
        case byte(UInt8)
        case any
        case star
        /// The position of the characters in `sets`.
        case set(Int)
    }

    /// Nil if the pattern is invalid, and matches nothing: it ends in a backslash, or names an unknown class.
    private let atoms: [Atom]?
    private let sets: [CharacterSet]

    init(_ pattern: [UInt8]) {
        var (atoms, sets, rest) = ([Atom]?.some([]), [CharacterSet](), pattern[...])
        while let byte = rest.popFirst(), atoms != nil {
            switch byte {
            case UInt8(ascii: "*"): atoms?.append(.star)
            case UInt8(ascii: "?"): atoms?.append(.any)
            case UInt8(ascii: "\\"):
                if let escaped = rest.popFirst() { atoms?.append(.byte(escaped)) } else { atoms = nil }
            case UInt8(ascii: "["):
                do throws(CharacterSet.Flaw) {
                    let set = try CharacterSet(parsing: &rest)
                    atoms?.append(.set(sets.count))
                    sets.append(set)
                } catch .unterminated {
                    // A bracket that nothing closes stands for itself.
                    atoms?.append(.byte(byte))
                } catch { atoms = nil }
            default: atoms?.append(.byte(byte))
            }
        }
        (self.atoms, self.sets) = (atoms, sets)
    }

    /// Whether the name, or a directory above it, matches.
    func match(_ name: RawSpan) -> Bool {
        guard let atoms else { return false }
        var (atom, place) = (0, 0)
        // Where to go on if the atoms after the last star do not fit: one character later.
        var retry: (atom: Int, place: Int)?
        while true {
            if atom == atoms.count {
                if place == name.byteCount || name[place] == UInt8(ascii: "/") { return true }
            } else if case .star = atoms[atom] {
                atom += 1
                retry = (atom, place)
                continue
            } else if place < name.byteCount, let size = size(of: atoms[atom], at: place, in: name) {
                (atom, place) = (atom + 1, place + size)
                continue
            }
            guard let last = retry, last.place < name.byteCount else { return false }
            place = last.place + Self.character(at: last.place, in: name).size
            atom = last.atom
            retry = (atom, place)
        }
    }

    /// The number of bytes at a place that an atom matches; nil if it matches none.
    private func size(of atom: Atom, at place: Int, in name: RawSpan) -> Int? {
        switch atom {
        case .byte(let byte): return name[place] == byte ? 1 : nil
        case .any: return Self.character(at: place, in: name).size
        case .set(let position):
            let (value, size) = Self.character(at: place, in: name)
            return sets[position].contains(value) ? size : nil
        case .star: return nil
        }
    }

    /// The character at a place, and its size in bytes. A byte that belongs to no character gets a number of its own.
    static func character(at place: Int, in text: RawSpan) -> (value: UInt32, size: Int) {
        let first = text[place]
        if first < 0x80 { return (UInt32(first), 1) }
        let size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        let character = text.extracting(place..<min(text.byteCount, place + size)).withUnsafeBytes { bytes in
            String(validating: bytes, as: UTF8.self)?.unicodeScalars.first
        }
        return character.map { ($0.value, size) } ?? (0x11_0000 + UInt32(first), 1)
    }
}

/// The characters between brackets in a pattern.
private struct CharacterSet: Sendable {
    enum Flaw: Error {
        case unterminated
        /// It names a class that does not exist, or something other than one character.
        case invalid
    }

    private var isNegated = false
    private var ranges: [ClosedRange<UInt32>] = []
    private var classes: [CharacterClass] = []

    func contains(_ value: UInt32) -> Bool {
        let isListed = ranges.contains { $0.contains(value) } || classes.contains { $0.contains(value) }
        return isListed != isNegated
    }

    /// - Parameter pattern: what follows the opening bracket; on return, what follows the closing one.
    init(parsing pattern: inout ArraySlice<UInt8>) throws(Flaw) {
        var (rest, isFirst) = (pattern, true)
        if let first = rest.first, "!^".utf8.contains(first) {
            rest.removeFirst()
            isNegated = true
        }
        while isFirst || rest.first != UInt8(ascii: "]") {
            isFirst = false
            if let name = Self.name(in: rest, between: ":") {
                guard let known = CharacterClass(rawValue: String(decoding: name, as: UTF8.self)) else {
                    throw .invalid
                }
                classes.append(known)
                rest = rest[(name.endIndex + 2)...]
                continue
            }
            let low = try Self.takeCharacter(&rest)
            var high = low
            // A hyphen before the closing bracket stands for itself.
            if rest.first == UInt8(ascii: "-"), let end = rest.dropFirst().first, end != UInt8(ascii: "]") {
                rest.removeFirst()
                high = try Self.takeCharacter(&rest)
            }
            if low <= high { ranges.append(low...high) }
        }
        pattern = rest.dropFirst()
    }

    /// Takes a character, which may be escaped, or be written as `[.x.]` or `[=x=]`.
    private static func takeCharacter(_ rest: inout ArraySlice<UInt8>) throws(Flaw) -> UInt32 {
        for mark in [Unicode.Scalar("."), "="] {
            guard let name = name(in: rest, between: mark) else { continue }
            rest = rest[(name.endIndex + 2)...]
            guard !name.isEmpty else { throw .invalid }
            let (value, size) = Wildcards.character(at: 0, in: name.span.bytes)
            if size < name.count { throw .invalid }
            return value
        }
        if rest.first == UInt8(ascii: "\\") { rest.removeFirst() }
        if rest.isEmpty { throw .unterminated }
        let (value, size) = Wildcards.character(at: 0, in: rest.span.bytes)
        rest.removeFirst(size)
        return value
    }

    /// The name in `[:name:]`, or the character in `[.x.]`; nil if the pattern does not begin with that.
    private static func name(in pattern: ArraySlice<UInt8>, between mark: Unicode.Scalar) -> ArraySlice<UInt8>? {
        let mark = UInt8(ascii: mark)
        guard pattern.starts(with: [UInt8(ascii: "["), mark]) else { return nil }
        let text = pattern.dropFirst(2)
        let end = text.indices.dropLast().first { text[$0] == mark && text[$0 + 1] == UInt8(ascii: "]") }
        guard let end else { return nil }
        let name = text[..<end]
        let isClass = mark == UInt8(ascii: ":")
        return isClass && !name.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 } ? nil : name
    }
}

/// A class of characters, by its name in <wctype.h>. Of those outside of ASCII, the kinds of letters are told apart.
private enum CharacterClass: String, Sendable {
    case alnum, alpha, blank, cntrl, digit, graph, lower, print, punct, space, upper, xdigit

    func contains(_ value: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(value) else { return false }
        let (isLower, isUpper) = ("a"..."z" ~= scalar, "A"..."Z" ~= scalar)
        let isDigit = "0"..."9" ~= scalar
        guard scalar.isASCII else {
            let properties = scalar.properties
            return switch self {
            case .alnum, .alpha: properties.isAlphabetic
            case .lower: properties.isLowercase
            case .upper: properties.isUppercase
            case .space: properties.isWhitespace
            case .graph, .print: ![.control, .format, .unassigned].contains(properties.generalCategory)
            default: false
            }
        }
        return switch self {
        case .alnum: isLower || isUpper || isDigit
        case .alpha: isLower || isUpper
        case .blank: scalar == " " || scalar == "\t"
        case .cntrl: value < 0x20 || value == 0x7F
        case .digit: isDigit
        case .graph: "!"..."~" ~= scalar
        case .lower: isLower
        case .print: " "..."~" ~= scalar
        case .punct: "!"..."~" ~= scalar && !isLower && !isUpper && !isDigit
        case .space: scalar == " " || 9...13 ~= value
        case .upper: isUpper
        case .xdigit: isDigit || "a"..."f" ~= scalar || "A"..."F" ~= scalar
        }
    }
}
