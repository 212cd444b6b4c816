import Foundation
import FuzzSubjects
import Testing

/// What `scripts/campaign fuzz` has found worth keeping is tried each time.
@Suite(.timeLimit(.minutes(4)))
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fuzzing/Corpus")

    @Test func `no input of the corpus breaks a promise`() throws {
        let inputs = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        #expect(inputs.count > 100)
        for input in inputs {
            #expect(throws: Never.self, "\(input.lastPathComponent)") {
                try Subject.examine(Array(try Data(contentsOf: input)))
            }
        }
    }
}
