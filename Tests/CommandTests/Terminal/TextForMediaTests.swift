import Foundation
import StreamTestSupport
import Testing

@testable import SluiceCommand
@testable import SluiceEngine

/// Names from elsewhere are data in a terminal, a word of a shell, JSON and HTML, with whatever letter beside a mark.
@Suite(.timeLimit(.minutes(4)))
struct TextForMediaTests {
    /// Each scalar that joins a mark before or after it into one character.
    private static let joiningScalars = (0x80...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).filter
    {
        "'\($0)'".count < 3 || "<\($0)<".count < 3
    }

    /// What a shell reads as the words of a line, of which each ends in a line.
    private static func words(of line: String) throws -> [UInt8] {
        let scratch = try Scratch()
        let script = try scratch.write(Array("printf '%s\\n' \(line) >\(scratch.path)/out".utf8), to: "script")
        #expect(system("bash \(script)") == 0)
        return try scratch.content("out")
    }

    @Test func `a word of a shell is the name that it stands for, with every letter that joins`() throws {
        #expect(Self.joiningScalars.count > 1000 && Self.joiningScalars.contains("\u{0D4E}"))
        // In a few calls: as many words as a line takes.
        for start in stride(from: 0, to: Self.joiningScalars.count, by: 500) {
            let names = Self.joiningScalars[start...].prefix(500).map { Array("a\($0)'\($0);$(id)\($0)\\'".utf8) }
            let read = try Self.words(of: names.map(\.shellWord).joined(separator: " "))
            #expect(read == Array(names.joined(separator: [10])) + [10])
        }
    }

    @Test(arguments: [("http:/h/a", "http://h/a"), ("d/.", "d/"), ("a b", "'a b'"), ("", "''"), ("ä", "'ä'")])
    func `a path is quoted as it is typed`(path: FilePath, word: String) { #expect(path.quoted == word) }

    @Test(arguments: 0..<10)
    func `any bytes are a word of a shell that a terminal does not obey`(seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let names = (0..<100).map { _ in
            (0..<Int.random(in: 1...12, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? Array("'\\\"$`!*? ;&|<>()\u{1B}\n-~=#".utf8).randomElement(using: &random) ?? 1
                    : UInt8.random(in: 1...255, using: &random)
            }
        }
        let words = names.map(\.shellWord)
        for word in words { #expect(word.printable == word) }
        #expect(try Self.words(of: words.joined(separator: " ")) == Array(names.joined(separator: [10])) + [10])
    }

    @Test func `no letter hides a tag from HTML, a quote from JSON or a control from a terminal`() throws {
        for scalar in Self.joiningScalars {
            let html = "\(scalar)<\(scalar)/script>".asDataInHTML
            #expect(!html.utf8.contains(UInt8(ascii: "<")))
            let text = "\(scalar)\"\(scalar)\\\(scalar)\u{1B}\(scalar)"
            var json: [UInt8] = []
            json.append(quoting: text)
            let read = try JSONDecoder().decode(String.self, from: Data(json))
            #expect(read.unicodeScalars.elementsEqual(text.unicodeScalars) && !json.contains(0x1B))
            let shown = "\(scalar)\u{1B}\(scalar)\u{9B}\(scalar)\r".printable
            #expect(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test func `an answer is a line, and what has no end is none`() {
        func isYes(_ answer: [UInt8]) -> (Bool, read: Int) {
            var rest = answer[...]
            var count = 0
            let isYes = Console.readsYes { byte in
                guard let next = rest.popFirst() else { return false }
                (byte, count) = (next, count + 1)
                return true
            }
            return (isYes, count)
        }
        for (text, answer) in [
            ("y\n", true), ("Yes\nno\n", true), ("n\n", false), ("\ny\n", false), ("", false), ("y", true),
            ("\u{39}\n", false),
        ] {
            #expect(isYes(Array(text.utf8)).0 == answer, "\(text)")
        }
        let endless = isYes([UInt8](repeating: UInt8(ascii: "y"), count: 1 << 20))
        #expect(!endless.0 && endless.read <= 1 << 16)
    }
}
