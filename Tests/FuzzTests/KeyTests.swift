import Foundation
import FuzzSubjects
import TestSupport
import Testing

/// What gives keys, and profiles, with changes that a fuzzer makes (`Subject.keys`, `Subject.profiles`).
@Suite(.timeLimit(.minutes(4)))
struct KeyTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fuzzing/Corpus")

    /// The inputs of the corpus for a subject.
    private static func inputs(_ name: String) throws -> [[UInt8]] {
        let subject = try #require(Subject.all.firstIndex { $0.name == name })
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { Array(try Data(contentsOf: $0)) }
            .filter { $0.first == UInt8(subject) }
    }

    /// Words that mean something to one of them.
    private static let words = [
        "\n", "\r", "\"", "'", "\\", "\\u0000", "\\ud800", "<", ">", "&", "=", ":", "[", "]", "{", "}", ",", " ", "\t",
        "#",
        "null", "1e9", "-1", "Z", "\u{0130}", "e\u{0301}", "\u{85}", "<Credentials>", "</Credentials>", "[DEFAULT]\n",
        "[a]\n",
        "a = b\n", "  c\n",
    ].map { Array($0.utf8) }

    @Test(arguments: ["keys", "profiles"])
    func `ten thousand changed inputs break no promise`(_ name: String) throws {
        let inputs = try Self.inputs(name)
        try #require(inputs.count >= 3)
        var random = SeededNumbers(seed: 76)
        for _ in 0..<10_000 {
            var input = inputs.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 1...input.count, using: &random)
                let end = min(input.count, place + Int.random(in: 0...4, using: &random))
                let word = Self.words.randomElement(using: &random) ?? []
                input.replaceSubrange(
                    place..<end, with: Bool.random(using: &random) ? word : Array(input[place..<end]) + word)
            }
            #expect(throws: Never.self, "\(input)") { try Subject.examine(input) }
        }
    }
}
