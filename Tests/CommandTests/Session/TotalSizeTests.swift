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
