import CFaults
import CKernel
import Glibc
import StreamTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import ByteStreams

/// What becomes of an output if the kernel refuses one of the calls that it makes: the rows of the table in
/// docs/decisions/output-errors.md, with each of their errors.
@Suite(.timeLimit(.minutes(4)), .enabled(if: Refusal.areAllowed, "threads may not confine themselves here"))
struct OutputFaultsTests {
    /// How an output is made.
    struct Way: CustomStringConvertible, Sendable {
        var (isNamed, replaces, isSynced, hasSource) = (false, false, false, false)

        static let all = (0..<16).map {
            Way(isNamed: $0 & 1 > 0, replaces: $0 & 2 > 0, isSynced: $0 & 4 > 0, hasSource: $0 & 8 > 0)
        }

        var description: String {
            "\(isNamed ? "named" : "unnamed"), \(replaces ? "replacing" : "new"), \(isSynced ? "" : "not ")synced, "
                + "\(hasSource ? "a" : "no") source"
        }
    }

    /// What becomes of it: nil if it is not made.
    typealias Fate = @Sendable (Way) -> OutputFile.Losses?

    struct Row: Sendable {
        let refusals: [Refusal]
        let fate: Fate
    }

    private static let isRoot = geteuid() == 0
    private static let refused: [Errno] = [.notPermitted, .permissionDenied, .noFunction, .notSupported]
    private static let broken: [Errno] = [.ioError, .noSpace, .diskQuotaExceeded, .readOnlyFileSystem]
    /// The bit of O_TMPFILE that is its own.
    private static let unnamed: Int32 = 0o20000000
    /// O_PATH.
    private static let pathOnly: Int32 = 0o10000000

    private static func rows(
        _ name: String, _ call: faults_call, _ errors: [Errno], where flags: Refusal.Flags = .any,
        and other: Refusal? = nil, _ fate: @escaping Fate
    ) -> [Row] {
        errors.map { Row(refusals: [Refusal(name, call, $0, flags)] + (other.map { [$0] } ?? []), fate: fate) }
    }

    private static let made: Fate = { _ in [] }
    private static let failed: Fate = { _ in nil }

    private static let parameters =
        rows(
            "open O_DIRECTORY", FAULTS_OPEN, [.notPermitted, .permissionDenied],
            where: .init(argument: 2, set: O_DIRECTORY, clear: pathOnly | unnamed), made)
        + rows(
            "open O_TMPFILE", FAULTS_OPEN, refused + broken + [.isDirectory, .invalidArgument],
            where: .init(argument: 2, set: unnamed), made)
        + rows("open O_CREAT", FAULTS_OPEN, refused + broken, where: .init(argument: 2, set: O_CREAT)) {
            $0.isNamed ? nil : []
        }
        + rows("write", FAULTS_WRITE, broken + [.fileTooLarge], failed)

    private static let metadata =
        rows("fchown", FAULTS_CHOWN, refused + broken) { $0.hasSource && isRoot ? [.owner, .group] : [] }
        + rows("fchmod", FAULTS_CHMOD, refused + broken + [.invalidArgument]) { _ in .mode }
        + rows("futimens", FAULTS_TIMES, refused + broken + [.invalidArgument]) { $0.hasSource ? .times : [] }
        + rows("fsetxattr", FAULTS_SET_ATTRIBUTE, refused + broken + [.outOfRange]) {
            $0.hasSource ? .attributes : []
        }
        + rows("flistxattr", FAULTS_LIST_ATTRIBUTES, [.noFunction, .notSupported], made)
        + rows("flistxattr", FAULTS_LIST_ATTRIBUTES, [.notPermitted, .permissionDenied, .ioError]) {
            $0.hasSource ? [.attributes, .accessList] : []
        }
        + rows("fstat", FAULTS_LOOK, [.ioError, .permissionDenied]) { $0.hasSource ? nil : [] }

    private static let closing =
        rows("fsync", FAULTS_SYNC, [.invalidArgument, .notSupported, .noFunction, .readOnlyFileSystem], made)
        + rows("fsync", FAULTS_SYNC, [.ioError, .noSpace, .diskQuotaExceeded]) { $0.isSynced ? nil : [] }
        + rows("dup", FAULTS_DUPLICATE, [.tooManyOpenFiles, .noMemory], made)
        + rows("dup", FAULTS_DUPLICATE, [.tooManyOpenFiles], and: Refusal("fsync", FAULTS_SYNC, .ioError)) {
            // An unnamed file would be closed by its duplicate.
            $0.isSynced || !$0.isNamed ? nil : []
        }
        + rows("close", FAULTS_CLOSE, broken, failed)
        + rows("close", FAULTS_CLOSE, [.interrupted], made)

    private static let naming =
        rows("linkat", FAULTS_LINK, refused + broken, made)
        + rows("renameat2", FAULTS_RENAME_EXCLUSIVELY, refused + [.invalidArgument], made)
        + rows("renameat2", FAULTS_RENAME_EXCLUSIVELY, broken) { $0.isNamed && !$0.replaces ? nil : [] }
        + rows(
            "linkat", FAULTS_LINK, refused, and: Refusal("renameat2", FAULTS_RENAME_EXCLUSIVELY, .invalidArgument), made
        )
        + rows("renameat", FAULTS_RENAME, refused + broken) { $0.replaces ? nil : [] }
        + [
            Row(
                refusals: [
                    Refusal("renameat2", FAULTS_RENAME_EXCLUSIVELY, .invalidArgument),
                    Refusal("linkat", FAULTS_LINK, .notPermitted), Refusal("renameat", FAULTS_RENAME, .ioError),
                ], fate: failed)
        ]
        + rows("unlinkat", FAULTS_REMOVE, refused + broken, made)

    /// In a process of its own, since it finds out for all of the process whether files without names get one.
    @Test func `an output is whole or not there, whatever is refused, and says what it lacks`() async {
        await #expect(processExitsWith: .success) {
            // Each row in the ways that could make a difference to it.
            for (rows, mayMatter) in [
                (Self.parameters + Self.naming, { !$0.isSynced && !$0.hasSource }),
                (Self.metadata, { !$0.isSynced && !$0.replaces }),
                (Self.closing, { !$0.hasSource }),
            ] as [([Row], (Way) -> Bool)] {
                for row in rows { for way in Way.all where mayMatter(way) { try Self.check(row, way) } }
            }
        }
    }

    private static func check(_ row: Row, _ way: Way) throws {
        let scratch = try Scratch()
        let target = scratch.path.appending("out")
        if way.replaces { try scratch.write(Array("old".utf8), to: "out") }
        let source = way.hasSource ? try source(in: scratch) : nil
        defer { try? source?.close() }
        OutputFile.linking.withLock { $0 = .untried }
        let result = try refusing(row.refusals) { Result { () throws(Failure) in try make(target, way, of: source) } }
        let fate = row.fate(way)
        // #expect takes a millisecond.
        let expect = { (isSo: Bool, what: String) in if !isSo { Issue.record("\(what): \(row.refusals), \(way)") } }
        expect((try? result.get()) == fate, "the result is \(result)")
        let wanted = fate != nil ? "new" : way.replaces ? "old" : nil
        expect((try? scratch.content("out")) == wanted.map { Array($0.utf8) }, "the content is another")
        expect(!scratch.names.contains { $0.hasSuffix(".tmp") }, "a name is left")
        guard let fate else { return }
        let isPrivate = !fate.isDisjoint(with: [.mode, .group, .accessList])
        let mode = isPrivate ? 0o600 : way.hasSource ? 0o640 : 0o666 & ~modeMask()
        let actual = (try? FileIdentity(at: target))?.status.st_mode ?? 0
        expect(actual & 0o7777 == mode, "the mode is \(String(actual, radix: 8))")
    }

    /// A file of the mode 0640, with an attribute, and of another owner if possible.
    private static func source(in scratch: Scratch) throws -> FileDescriptor {
        let source = try FileDescriptor.open(try scratch.write([], to: "in"), .readOnly, options: .closeOnExec)
        let isPrepared =
            fchmod(source.rawValue, 0o640) == 0 && fsetxattr(source.rawValue, "user.sluice", "x", 1, 0) == 0
            && (!isRoot || fchown(source.rawValue, 1234, 2345) == 0)
        if !isPrepared { throw Errno(rawValue: errno) }
        return source
    }

    private static func make(
        _ target: FilePath, _ way: Way, of source: FileDescriptor?
    ) throws(Failure) -> OutputFile.Losses {
        let file = try OutputFile(at: target, isReplacing: way.replaces, isNamed: way.isNamed)
        try Failure.writing(file.descriptor.writeEverything(Array("new".utf8)[...]))
        return try file.commit(metadataOf: source, isSynced: way.isSynced)
    }

    @Test func `an access control list is not copied where the mode it sets could not be taken back`() throws {
        let scratch = try Scratch()
        let source = try FileDescriptor.open(try scratch.write([], to: "in"), .readOnly, options: .closeOnExec)
        defer { try? source.close() }
        // Version 2; user::rw-, user:1234:rw-, group::r--, mask::rw-, other::r--.
        let list: [UInt32] = [
            2, 6 << 16 | 0x01, .max, 6 << 16 | 0x02, 1234, 4 << 16 | 0x04, .max, 6 << 16 | 0x10, .max, 4 << 16 | 0x20,
            .max,
        ]
        let bytes = list.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
        #expect(fsetxattr(source.rawValue, "system.posix_acl_access", bytes, bytes.count, 0) == 0)
        let target = scratch.path.appending("out")
        let losses = try refusing([Refusal("fchmod", FAULTS_CHMOD, .notPermitted)]) {
            try OutputFile(at: target, isReplacing: false).commit(metadataOf: source, isSynced: false)
        }
        #expect(losses == [.mode, .accessList])
        #expect(try FileIdentity(at: target).status.st_mode & 0o7777 == 0o600)
    }

    @Test(arguments: refused + [.invalidArgument])
    func `a hole at the end is made where no file can be made longer`(error: Errno) throws {
        let scratch = try Scratch()
        let target = scratch.path.appending("out")
        let zeros = [UInt8](repeating: 0, count: 100_000)
        try refusing([Refusal("ftruncate", FAULTS_CUT, error)]) {
            let file = try OutputFile(at: target, isReplacing: false)
            let sink = try Sink(file.descriptor, isTemporary: true, leavesHoles: true)
            try sink.write(zeros.span.bytes)
            try file.commit(isSynced: false)
        }
        #expect(try scratch.content("out") == zeros)
        #expect(try FileIdentity(at: target).status.st_blocks <= 8)
    }

    @Test(arguments: [Errno.noFunction, .notPermitted])
    func `a file system that can't be synced as a whole has each file synced`(error: Errno) throws {
        let scratch = try Scratch()
        let target = scratch.path.appending("out")
        let device = try FileIdentity(at: scratch.path).device
        let isShared = try refusing([Refusal("syncfs", FAULTS_SYNC_FILE_SYSTEM, error)]) {
            try FileSystems().willWrite(to: target, in: OpenFolder(at: scratch.path), on: device)
        }
        #expect(!isShared)
    }

    @Test(arguments: [Errno.noFunction, .noLocks, .notSupported, .notPermitted])
    func `without locks an output goes on, and only the last that began it gives it its name`(error: Errno) throws {
        let scratch = try Scratch()
        let target = scratch.path.appending("out")
        try refusing([Refusal("flock", FAULTS_LOCK, error)]) {
            let first = try OutputFile(resuming: target, isReplacing: false)
            let identity = try FileIdentity(first.descriptor)
            #expect(first.note?.isLocked == false)
            try first.note?.write("so\n", of: identity)
            try first.descriptor.writeEverything(Array("new".utf8)[...])
            let second = try OutputFile(resuming: target, isReplacing: false)
            #expect(try second.note?.recipe(of: identity) == "so\n")
            #expect(failure(committing: first) == .isBeingMade(target))
            #expect(scratch.names == [".out.part", ".out.part.note"])
            try second.commit()
            #expect(scratch.names == ["out"])
            #expect(try scratch.content("out") == Array("new".utf8))
        }
    }

    @Test func `without locks nobody gives a name to what another has begun anew`() throws {
        let scratch = try Scratch()
        let target = scratch.path.appending("out")
        try refusing([Refusal("flock", FAULTS_LOCK, .noLocks)]) {
            let first = try OutputFile(resuming: target, isReplacing: false)
            // The first one is empty so far, and goes.
            let second = try OutputFile(resuming: target, isReplacing: false)
            try first.note?.write("so\n", of: FileIdentity(first.descriptor))
            try first.descriptor.writeEverything(Array("new".utf8)[...])
            #expect(failure(committing: first) == .isBeingMade(target))
            #expect(failure(committing: second) == .isBeingMade(target))
            #expect(!scratch.names.contains("out"))
        }
    }

    @Test func `what was begun without locks goes on with them`() throws {
        let scratch = try Scratch()
        let target = scratch.path.appending("out")
        try refusing([Refusal("flock", FAULTS_LOCK, .noLocks)]) {
            let file = try OutputFile(resuming: target, isReplacing: false)
            try file.note?.write("so\n", of: FileIdentity(file.descriptor))
            try file.descriptor.writeEverything([1][...])
        }
        let file = try OutputFile(resuming: target, isReplacing: false)
        #expect(file.note?.isLocked == true)
        #expect(try file.note?.recipe(of: FileIdentity(file.descriptor)) == "so\n")
        try file.commit()
        #expect(scratch.names == ["out"])
    }
}
