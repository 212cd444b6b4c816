import ForeignCodec
import SluiceEngine
import SystemPackage
import Testing
import ZstdCodec

@testable import SluiceCommand

/// What the command line has for a failure of the library.
@Suite struct FailureHintTests {
    private func hint(_ failure: CodecFailure) -> String? { Failure.codec(failure).hint }

    @Test(
        arguments: [
            ((1 << 27) + 1, "decompress with --long=28, or --memory=129MiB"),
            (1 << 28, "decompress with --long=28, or --memory=256MiB"),
            (1 << 31, "decompress with --long=31, or --memory=2048MiB"),
            (1025, "decompress with --long=11, or --memory=1MiB"), (1, "decompress with --long=10, or --memory=1MiB"),
        ] as [(UInt64, String)])
    func `a window that is allowed on request has a hint with the request`(bytes: UInt64, words: String) {
        #expect(hint(.windowTooLarge(bytes: bytes, limit: 1, offset: 0)) == words)
    }

    @Test(arguments: [(1 << 31) + 1, 1 << 41, .max] as [UInt64])
    func `a window that libzstd can't have has no hint, and its words do not trap`(bytes: UInt64) {
        let failure = CodecFailure.windowTooLarge(bytes: bytes, limit: .max, offset: .max)
        #expect(hint(failure) == nil)
        #expect(!failure.description.isEmpty)
    }

    @Test(arguments: [(3 << 20, "3MiB"), (3 << 20 | 1, "4MiB")] as [(UInt64, String)])
    func `the memory that another format asks for is named so that it is enough`(bytes: UInt64, size: String) {
        let failure = Failure.foreign(.needsMemory(.lzma, bytes: bytes, limit: 1, offset: 0))
        #expect(failure.hint == "decompress with --memory=\(size)")
    }

    @Test func `what another option or program can do has a hint`() {
        #expect(hint(.needsDictionary(identifier: 1, offset: 0)) == "name the dictionary with -D FILE")
        #expect(hint(.tooManyFrames) == "use larger frames, with -B")
        #expect(Failure.onlyForward(isFile: false).hint?.hasPrefix("name a regular file") == true)
        #expect(Failure.onlyForward(isFile: true).hint?.hasPrefix("sluice -d ") == true)
        #expect(hint(.outOfMemory) == nil)
        #expect(Failure.reading(.ioError).hint == nil)
    }

    @Test func `a file that has the name of standard input in messages is a file`() throws {
        let failure = Failure.codec(.windowTooLarge(bytes: 1 << 28, limit: 1, offset: 0))
        let name = Operand.standardInputName
        let stream = try Settings(["-d"], for: ["-"]).remedy(for: failure, of: name)
        #expect(stream?.hasPrefix("sluice -d --long=28 - decodes it") == true)
        let file = try Settings(["-d"], for: [name]).remedy(for: failure, of: name)
        #expect(file?.hasPrefix("sluice -d --long=28 'standard input' decodes it") == true)
    }
}
