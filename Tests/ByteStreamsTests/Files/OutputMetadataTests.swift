import CFaults
import Dispatch
import Glibc
import StreamTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import ByteStreams

@Suite(.timeLimit(.minutes(2)))
struct OutputMetadataTests {
    // MARK: Who may read an output

    private static let users: [UInt32] = [1001, 1002, 1003]
    private static let groups: [UInt32] = [2001, 2002, 2003]
    private static let mayBecomeOthers = geteuid() == 0 && (try? of(0, 0) { true }) == true
    private static let refusals: [(name: String, call: faults_call)] = [
        ("fchown", FAULTS_CHOWN), ("fchmod", FAULTS_CHMOD), ("fsetxattr", FAULTS_SET_ATTRIBUTE),
        ("fgetxattr", FAULTS_GET_ATTRIBUTE), ("fremovexattr", FAULTS_REMOVE_ATTRIBUTE),
        ("flistxattr", FAULTS_LIST_ATTRIBUTES),
    ]

    /// Runs a body on a thread that accesses files as a user of one group.
    private static func of<Result: Sendable>(
        _ user: UInt32, _ group: UInt32, _ refusals: [Refusal] = [], _ body: @escaping @Sendable () throws -> Result
    ) throws -> Result {
        try refusing(refusals) {
            guard faults_become(user, group) == 0 else { throw Errno(rawValue: errno) }
            return try body()
        }
    }

    /// A list with random entries, in the form of the attribute.
    private static func accessList(_ random: inout SeededNumbers) -> [UInt8] {
        var entries: [(tag: UInt16, id: UInt32)] = [(0x01, .max)]
        let named = users.filter { _ in Bool.random(using: &random) }
        let namedGroups = groups.filter { _ in Bool.random(using: &random) }
        entries += named.map { (0x02, $0) } + [(0x04, .max)] + namedGroups.map { (0x08, $0) }
        if entries.count > 2 || Bool.random(using: &random) { entries.append((0x10, .max)) }
        entries.append((0x20, .max))
        let words = entries.flatMap { [UInt32($0.tag) | UInt32.random(in: 0...7, using: &random) << 16, $0.id] }
        return ([2] + words).flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    /// Whoever may read a file, of all users in all groups, but the one who owns it and may set its mode.
    private static func readers(of path: FilePath, but owners: [UInt32]) throws -> Set<[UInt32]> {
        try of(0, 0) {
            var readers: Set<[UInt32]> = []
            for user in users where !owners.contains(user) {
                for group in groups {
                    guard faults_become(user, group) == 0 else { throw Errno(rawValue: errno) }
                    if let file = try? FileDescriptor.open(path, .readOnly) {
                        readers.insert([user, group])
                        try file.close()
                    }
                    guard faults_become(0, 0) == 0 else { throw Errno(rawValue: errno) }
                }
            }
            return readers
        }
    }

    @Test(.enabled(if: mayBecomeOthers && Refusal.areAllowed, "needs root"), arguments: 1...8)
    func `whoever may not read the source can't read the output, whatever lists and folders there are`(
        seed: UInt64
    ) throws {
        var random = SeededNumbers(seed: seed)
        let scratch = try Scratch()
        let folder = try FileDescriptor.open(scratch.path, .readOnly)
        defer { try? folder.close() }
        for turn in 1...60 {
            let source = try FileDescriptor.open(
                try scratch.write([1], to: "in"), .readOnly, options: .closeOnExec)
            defer { try? source.close() }
            let (owner, group) = (
                (Self.users + [0]).randomElement(using: &random) ?? 0, Self.groups.randomElement(using: &random) ?? 0
            )
            try systemCall { fchown(source.rawValue, owner, group) }
            try systemCall { fchmod(source.rawValue, .random(in: 0...0o777, using: &random)) }
            if Bool.random(using: &random) {
                let list = Self.accessList(&random)
                try systemCall { fsetxattr(source.rawValue, "system.posix_acl_access", list, list.count, 0) }
            }
            try systemCall { fchown(folder.rawValue, 0, Self.groups.randomElement(using: &random) ?? 0) }
            try systemCall { fchmod(folder.rawValue, Bool.random(using: &random) ? 0o777 : 0o2777) }
            _ = fremovexattr(folder.rawValue, "system.posix_acl_default")
            if Int.random(in: 0..<4, using: &random) > 0 {
                let list = Self.accessList(&random)
                try systemCall { fsetxattr(folder.rawValue, "system.posix_acl_default", list, list.count, 0) }
            }
            let refused = Self.refusals.filter { _ in Int.random(in: 0..<12, using: &random) == 0 }
            let maker = Int.random(in: 0..<3, using: &random) > 0 ? 0 : Self.users.randomElement(using: &random) ?? 0
            let makersGroup = maker == 0 ? 0 : Self.groups.randomElement(using: &random) ?? 0
            let isNamed = Bool.random(using: &random)
            let target = scratch.path.appending("out")
            // Opened by root: the law is about the metadata, not about who runs it.
            let losses = try Self.of(
                maker, makersGroup, refused.map { Refusal($0.name, $0.call, .notPermitted) }
            ) {
                try OutputFile(at: target, isReplacing: true, isNamed: isNamed)
                    .commit(metadataOf: source, isSynced: false)
            }
            let owners = [owner, maker]
            let more = try Self.readers(of: target, but: owners)
                .subtracting(Self.readers(of: scratch.path.appending("in"), but: owners))
            #expect(
                more.isEmpty,
                "seed \(seed), turn \(turn): \(owner):\(group), \(refused.map(\.name)), by \(maker), lost \(losses)")
            if refused.isEmpty, maker == 0 { #expect(losses == []) }
            unlink(target.string)
            unlink(scratch.path.appending("in").string)
        }
    }

    @Test(.enabled(if: mayBecomeOthers, "needs root"), arguments: 1...8)
    func `whoever may not read each of several sources can't read an output of all of them`(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let scratch = try Scratch()
        let folder = try FileDescriptor.open(scratch.path, .readOnly)
        defer { try? folder.close() }
        for turn in 1...60 {
            let group = Self.groups.randomElement(using: &random) ?? 0
            try systemCall { fchown(folder.rawValue, 0, group) }
            try systemCall { fchmod(folder.rawValue, Bool.random(using: &random) ? 0o777 : 0o2777) }
            _ = fremovexattr(folder.rawValue, "system.posix_acl_default")
            if Bool.random(using: &random) {
                let list = Self.accessList(&random)
                try systemCall { fsetxattr(folder.rawValue, "system.posix_acl_default", list, list.count, 0) }
            }
            var (access, names, owners) = (CommonAccess(), [FilePath](), [UInt32]())
            for number in 1...Int.random(in: 1...3, using: &random) {
                let path = try scratch.write([1], to: "in\(number)")
                let source = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
                defer { try? source.close() }
                let owner = (Self.users + [0]).randomElement(using: &random) ?? 0
                let other = Self.groups.randomElement(using: &random) ?? 0
                try systemCall { fchown(source.rawValue, owner, Bool.random(using: &random) ? group : other) }
                _ = fremovexattr(source.rawValue, "system.posix_acl_access")
                try systemCall { fchmod(source.rawValue, .random(in: 0...0o777, using: &random)) }
                if Int.random(in: 0..<3, using: &random) == 0 {
                    let list = Self.accessList(&random)
                    try systemCall { fsetxattr(source.rawValue, "system.posix_acl_access", list, list.count, 0) }
                }
                access.narrow(to: source)
                names.append(path)
                owners.append(owner)
            }
            let target = scratch.path.appending("out")
            let narrowed = access
            _ = try Self.of(0, 0) {
                try OutputFile(at: target, isReplacing: true).commit(within: narrowed, isSynced: false)
            }
            let readers = try Self.readers(of: target, but: owners)
            for name in names {
                let more = try readers.subtracting(Self.readers(of: name, but: owners))
                #expect(more.isEmpty, "seed \(seed), turn \(turn): \(name)")
                unlink(name.string)
            }
            unlink(target.string)
        }
    }

    @Test(arguments: 1...20)
    func `without a source an output has the mode and the list of any new file in its folder`(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let scratch = try Scratch()
        let folder = try FileDescriptor.open(scratch.path, .readOnly)
        defer { try? folder.close() }
        if seed > 1 {
            let list = Self.accessList(&random)
            try systemCall { fsetxattr(folder.rawValue, "system.posix_acl_default", list, list.count, 0) }
        }
        let other = open(scratch.path.appending("other").string, O_WRONLY | O_CREAT, 0o666)
        defer { close(other) }
        let target = scratch.path.appending("out")
        try OutputFile(at: target, isReplacing: false).commit(isSynced: false)
        let file = try FileDescriptor.open(target, .writeOnly)
        defer { try? file.close() }
        #expect(try FileIdentity(file).mode == FileIdentity(FileDescriptor(rawValue: other)).mode)
        let name = "system.posix_acl_access"
        #expect(Self.attribute(name, of: file.rawValue) == Self.attribute(name, of: other))
    }

    private static func attribute(_ name: String, of file: Int32) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: 8 << 10)
        let size = fgetxattr(file, name, &value, value.count)
        return size < 0 ? nil : Array(value[..<size])
    }

    // MARK: Attributes

    @Test(arguments: [0, 1, 1023, 1024, 1025, 3000])
    func `an attribute of any size is copied as it is`(size: Int) throws {
        let scratch = try Scratch()
        let source = try FileDescriptor.open(try scratch.write([], to: "in"), .readOnly, options: .closeOnExec)
        defer { try? source.close() }
        let value = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        try systemCall { fsetxattr(source.rawValue, "user.sluice", value, size, 0) }
        let target = scratch.path.appending("out")
        #expect(try OutputFile(at: target, isReplacing: false).commit(metadataOf: source, isSynced: false) == [])
        let file = try FileDescriptor.open(target, .readOnly)
        defer { try? file.close() }
        #expect(Self.attribute("user.sluice", of: file.rawValue) == value)
    }

    @Test func `an attribute that grows and shrinks while it is copied is one that was there`() throws {
        let scratch = try Scratch()
        let source = try FileDescriptor.open(try scratch.write([], to: "in"), .readOnly, options: .closeOnExec)
        let copy = try FileDescriptor.open(try scratch.write([], to: "out"), .readWrite, options: .closeOnExec)
        defer {
            try? source.close()
            try? copy.close()
        }
        let large = [UInt8](repeating: 0x78, count: 3000)
        fsetxattr(source.rawValue, "user.sluice", large, 0, 0)
        let isOver = Atomic(false)
        let ended = DispatchGroup()
        try startThread(in: ended) {
            while !isOver.load(ordering: .relaxed) {
                fsetxattr(source.rawValue, "user.sluice", large, large.count, 0)
                fsetxattr(source.rawValue, "user.sluice", large, 0, 0)
            }
        }
        // Memory of the heap that was used before.
        for _ in 1...200 { free(memset(malloc(3000), 0x21, 3000)) }
        var (seen, foreign) = (Set<Int>(), 0)
        for _ in 1...30_000 {
            var common: mode_t = 0
            let losses = OutputFile.Losses(
                rawValue: copy.copyAttributes(of: source, keepsAccessList: true, common: &common))
            if losses != [] { continue }
            let value = Self.attribute("user.sluice", of: copy.rawValue) ?? []
            seen.insert(value.count)
            if !value.allSatisfy({ $0 == 0x78 }) || ![0, 3000].contains(value.count) { foreign += 1 }
        }
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        #expect(foreign == 0)
        #expect(seen == [0, 3000])
    }
}
