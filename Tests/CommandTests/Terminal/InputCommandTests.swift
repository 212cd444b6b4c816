import Dispatch
import Glibc
import SluiceEngine
import Testing

@testable import SluiceCommand

/// How a command ends whose output is the input.
@Suite(.timeLimit(.minutes(4))) struct InputCommandTests {
    /// The run may learn of the command's end before it learns of the signal, and would report a failure.
    @Test(arguments: ["exec sleep 30", "trap 'exit 7' INT; while sleep 0.05; do :; done"])
    func `a command that ends by a signal that was passed on to it has not failed`(script: String) async {
        // The command's supervisor is made by fork.
        await #expect(processExitsWith: .success) { [script] in
            let words = ["bash", "-c", "echo begun; \(script)"].map { Array($0.utf8) }
            let command = try InputCommand(words)
            let stream = try command.source().open()
            let begun = try #require(try stream.read(1 << 10, until: nil))
            #expect(begun.count == 6)
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { command.end(with: SIGINT) }
            let failure = #expect(throws: Failure.self) { while try stream.read(1 << 10, until: nil) != nil {} }
            #expect(failure == .cancelled)
            command.dismiss(hasSucceeded: false)
        }
    }
}
