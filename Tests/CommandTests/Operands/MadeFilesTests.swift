import ArgumentParser
import Sluice
import SystemPackage
import Testing

@testable import SluiceCommand

/// Which files give way to others.
@Suite struct MadeFilesTests {
    private let folder: Folder
    private let settings: Settings

    init() throws {
        folder = try Folder()
        settings = try Settings(try Options.parse(["-f"]), paths: []) { _ in nil }
    }

    @Test func `a file that got its name gives way to its own source only, and one that did not to all`() throws {
        let paths = try ["one", "two", "made"].map { try folder.write($0, to: $0) }
        let identities = try paths.map { try FileIdentity(at: $0) }
        let made = MadeFiles(Array(paths[..<2]), settings)
        for hasName in [false, true] {
            #expect(made.naming(identities[2], from: identities[0], isReplacing: true) { hasName } == hasName)
            #expect(made.objection(to: paths[2], by: identities[0]) == nil)
            #expect((made.objection(to: paths[2], by: identities[1]) != nil) == hasName)
        }
    }

    @Test func `a name that could not be given is forgotten, and the turn goes on`() throws {
        let paths = try ["one", "two", "made"].map { try folder.write($0, to: $0) }
        let identities = try paths.map { try FileIdentity(at: $0) }
        let made = MadeFiles(Array(paths[..<2]), settings)
        for _ in 1...2 {
            #expect(throws: Failure.cancelled) {
                try made.naming(identities[2], from: identities[0], isReplacing: true) { () throws(Failure) in
                    throw .cancelled
                }
            }
        }
        #expect(made.objection(to: paths[2], by: identities[1]) == nil)
    }

    @Test func `what is read gives way to nothing else`() throws {
        let paths = try ["one", "two"].map { try folder.write($0, to: $0) }
        let made = MadeFiles(paths, settings)
        #expect(made.objection(to: paths[1], by: try FileIdentity(at: paths[0])) != nil)
        #expect(made.objection(to: paths[1], by: try FileIdentity(at: paths[1])) == nil)
    }
}
