import SystemPackage
import Testing

@testable import SluiceCommand

/// What the bar's percentage counts.
@Suite struct TotalSizeTests {
    @Test func `files that were made in the same tick of the clock as the run count, too`() throws {
        for _ in 0..<20 {
            let folder = try Folder()
            for name in ["a", "b", "c"] { try folder.write("content", to: name) }
            var settings = try Settings(["-r", "--rm", "-q"], for: [folder.path])
            settings.walks = true
            let total = TotalSize(settings, isShown: true)
            #expect(total.files == 3)
            #expect(total.bytes == 21)
        }
    }

    @Test func `an estimate counts where nothing exact is known`() throws {
        let folder = try Folder()
        let file = try folder.write("content", to: "a")
        for (words, path, bytes, isEstimate) in [
            (["--size-hint=5M"], file, 7, false), (["--size-hint=5M", "--stream-size=3M"], "-", 3 << 20, false),
            (["--size-hint=5M"], "-", 5 << 20, true),
        ] as [([String], FilePath, UInt64, Bool)] {
            var settings = try Settings(words, for: [path])
            // Whatever the standard input of the tests is.
            settings.input.commandWords = [Array("producer".utf8)]
            let total = TotalSize(settings, isShown: true)
            #expect(total.bytes == bytes && total.isEstimate == isEstimate, "\(words)")
        }
    }

    @Test func `files that the run makes don't count`() throws {
        let folder = try Folder()
        try folder.write("content", to: "a")
        var settings = try Settings(["-r", "-q"], for: [folder.path])
        settings.walks = true
        let total = TotalSize(settings, isShown: true)
        try folder.write("made", to: "b")
        // "a" may be as old as the start.
        #expect(total.files <= 1)
    }
}
