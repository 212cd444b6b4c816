import ByteStreams
import Glibc
import SluiceEngine
import StreamTestSupport
import Synchronization
import Testing

@testable import RemoteSinks
@testable import RemoteSources

/// An upload goes on wherever the run before it has ended: the object is whole, and no part is sent twice.
@Suite(.timeLimit(.minutes(4)))
struct UploadResumingTests {
    private static let key = "/bucket/a b+c.zst"
    private static let content = sample(4500)
    private static let partSize = 1000
    private static let partCount = 5

    private struct Outcome: Sendable {
        let failure: Failure?
        let warnings: [String]
        /// Parts that were sent, whatever became of them.
        let sent: Int
    }

    private static func note(in folder: Scratch, _ recipe: String = "recipe") throws(Failure) -> UploadNote {
        try UploadNote(beside: folder.path.appending("plain"), recipe: recipe)
    }

    private static func hasNote(_ folder: Scratch) -> Bool {
        (try? FileIdentity(at: folder.path.appending(".plain.upload.note"))) != nil
    }

    private static func noteText(_ folder: Scratch) -> [UInt8]? {
        guard let file = try? FileDescriptor.open(folder.path.appending(".plain.upload.note"), .readOnly) else {
            return nil
        }
        defer { try? file.close() }
        return try? [UInt8](unsafeUninitializedCapacity: 10_000) { room, count in
            count = try file.read(into: UnsafeMutableRawBufferPointer(room))
        }
    }

    private static func run(
        _ content: [UInt8] = content, to store: ScriptedStore, in folder: Scratch, recipe: String = "recipe",
        isReplacing: Bool = false, partSize: Int = partSize, key: String = key, headers: [String] = [],
        didStart: (ObjectUpload) -> Void = { _ in }
    ) throws -> Outcome {
        let warnings = Mutex<[String]>([])
        let before = store.now.kinds.count
        var options = try store.options()
        options.headers = headers
        options.onWarning = { sentence in warnings.withLock { $0.append(sentence) } }
        let location = try #require(RemoteLocation("s3:/" + key))
        var failure: Failure?
        do throws(Failure) {
            let upload = try ObjectUpload(
                WrittenObject(location, client: RemoteClient(options: options)),
                PartPlan(.parts(partSize), connections: 2), note: note(in: folder, recipe), isReplacing: isReplacing)
            defer { upload.abandon() }
            didStart(upload)
            for start in stride(from: 0, to: content.count, by: 700) {
                try upload.write(Piece(Bytes(content[start..<min(content.count, start + 700)])))
            }
            try upload.end(after: 0, of: UInt64(content.count))
            try upload.complete()
        } catch { failure = error }
        let sent = store.now.kinds.dropFirst(before).filter { $0 == .part }.count
        return Outcome(failure: failure, warnings: warnings.withLock { $0 }, sent: sent)
    }

    enum End: CaseIterable, Sendable {
        /// The process is gone, before the store has got the request, or after it has done what that asks for.
        case killed, killedLate
        case refused
        /// A signal comes.
        case cancelled
    }

    @Test(arguments: End.allCases, [false, true])
    func `a run that ends at any request is gone on with, and sends no part that is there`(
        end: End, isReplacing: Bool
    ) async throws {
        let whole = try ScriptedStore(hasChecksums: true)
        defer { whole.close() }
        let folder = try Scratch()
        let undisturbed = try await within { try Self.run(to: whole, in: folder, isReplacing: isReplacing) }
        #expect(undisturbed.failure == nil && undisturbed.sent == Self.partCount && !Self.hasNote(folder))
        let requests = whole.now.kinds.count
        let isDisturbed = try await within(100) {
            try runLanes(8, over: requests) { number, _ throws(Failure) in
                do { return try Self.disturb(number, end, isReplacing) } catch { throw error as? Failure ?? .cancelled }
            }
        }
        #expect(isDisturbed.contains(true))
    }

    /// - Returns: whether the first run has failed.
    private static func disturb(_ number: Int, _ end: End, _ isReplacing: Bool) throws -> Bool {
        let upload = Mutex<ObjectUpload?>(nil)
        let isLater = Atomic(false)
        let there = Mutex<ScriptedStore?>(nil)
        let store = try ScriptedStore(hasChecksums: true) { _, other in
            guard other == number, !isLater.load(ordering: .acquiring) else { return nil }
            if end != .refused, upload.withLock({ $0 }) == nil { return nil }
            if end == .killed { there.withLock { $0 }?.vanish() }
            if end != .refused { upload.withLock { $0 }?.cancel() }
            return end == .refused ? .refused : end == .killedLate ? .last : nil
        }
        defer { store.close() }
        there.withLock { $0 = store }
        defer { there.withLock { $0 = nil } }
        let folder = try Scratch()
        let first = try run(to: store, in: folder, isReplacing: isReplacing) { begun in upload.withLock { $0 = begun } }
        upload.withLock { $0 = nil }
        store.settle()
        isLater.store(true, ordering: .releasing)
        store.comeBack()
        let (left, kind) = (store.now, store.now.kinds.dropFirst(number).first)
        if first.failure == nil {
            #expect(left.objects[key]?.content == content && !hasNote(folder), "\(end) \(number)")
            return false
        }
        let parts = left.uploads.values.reduce(0) { $0 + $1.parts.count }
        let isMade = left.objects[key] != nil
        // What has parts is left, and said, with what ends it.
        let isSaid = first.warnings.contains { $0.contains("the same command continues it; aws s3api abort-") }
        #expect(isSaid || parts == 0 || isMade || first.warnings.contains { $0.contains("may remain there: aws") })
        #expect(!isSaid || hasNote(folder), "\(end) \(number) \(first)")
        #expect(kind != .complete || isMade || parts == partCount, "\(end) \(number) \(first)")
        if isMade, !hasNote(folder) {
            #expect(left.objects[key]?.content == content && left.uploads.isEmpty)
            return true
        }
        let second = try run(to: store, in: folder, isReplacing: isReplacing)
        let now = store.now
        let about = "\(end) \(number) \(String(describing: kind)) \(first) \(second)"
        #expect(second.failure == nil && now.objects[key]?.content == content, "\(about)")
        #expect(second.sent == (isMade ? 0 : partCount - parts), "\(about)")
        // What the store has begun without saying so has no parts.
        #expect(now.uploads.values.allSatisfy { $0.parts.isEmpty }, "\(about)")
        #expect(now.uploads.isEmpty || kind == .begin, "\(about)")
        #expect(!hasNote(folder), "\(about)")
        return true
    }

    /// Runs until some parts are there, as if the process were killed then.
    private static func interrupt(_ store: ScriptedStore, in folder: Scratch) throws {
        let upload = Mutex<ObjectUpload?>(nil)
        let first = try run(to: store, in: folder) { begun in
            upload.withLock { $0 = begun }
            for start in stride(from: 0, to: 3500, by: 700) {
                try? begun.write(Piece(Bytes(content[start..<start + 700])))
            }
            _ = eventually { begun.state.withLock { $0.sent.count >= 2 } }
            begun.cancel()
        }
        upload.withLock { $0 = nil }
        store.settle()
        #expect(first.failure == .cancelled && hasNote(folder))
        #expect(store.now.uploads.count == 1)
    }

    /// How a run differs from the one before.
    enum Change: CaseIterable, Sendable { case recipe, key, list, storageClass, server }

    private static func run(
        changed change: Change, to store: ScriptedStore, in folder: Scratch, isReplacing: Bool
    ) throws -> Outcome {
        let lines: [Change: String] = [.list: "x-amz-acl: private", .storageClass: "X-Amz-Storage-Class: X"]
        return try run(
            to: store, in: folder, recipe: change == .recipe ? "other" : "recipe", isReplacing: isReplacing,
            key: change == .key ? "/bucket/other" : key, headers: lines[change].map { [$0] } ?? [])
    }

    @Test(arguments: Change.allCases, [nil, ScriptedStore.Fault.refused, .missing])
    func `an upload that would become another object is refused, and ended only where that one may be replaced`(
        change: Change, fault: ScriptedStore.Fault?
    ) async throws {
        try await within(60) { try Self.tryAgain(changed: change, fault) }
    }

    /// - Parameter fault: of the request that ends the old upload.
    private static func tryAgain(changed change: Change, _ fault: ScriptedStore.Fault?) throws {
        let faults = Mutex<ScriptedStore.Fault?>(nil)
        let store = try ScriptedStore(hasChecksums: true) { kind, _ in
            kind == .abort ? faults.withLock { $0 } : nil
        }
        defer { store.close() }
        let other = try ScriptedStore(hasChecksums: true)
        defer { other.close() }
        let folder = try Scratch()
        try interrupt(store, in: folder)
        let noted = noteText(folder)
        let key = change == .key ? "/bucket/other" : key
        let target = change == .server ? other : store
        let refused = try run(changed: change, to: target, in: folder, isReplacing: false)
        let message = refused.failure?.message ?? ""
        let isSame = change != .key && change != .server
        #expect(refused.failure?.code == (isSame ? .otherSource : .otherUpload) && refused.sent == 0, "\(refused)")
        #expect(message.contains("aws s3api abort-multipart-upload --bucket"))
        #expect(message.contains("upload.note it is forgotten"))
        #expect(store.now.uploads.count == 1 && other.now.uploads.isEmpty && noteText(folder) == noted)
        faults.withLock { $0 = fault }
        let outcome = try run(changed: change, to: target, in: folder, isReplacing: true)
        guard isSame, fault == nil else {
            // Nor is it forgotten.
            #expect(outcome.failure?.code == .otherUpload && outcome.sent == 0, "\(outcome)")
            #expect(store.now.uploads.count == 1 && other.now.uploads.isEmpty && noteText(folder) == noted)
            return
        }
        #expect(outcome.failure == nil && outcome.sent == partCount, "\(outcome)")
        #expect(outcome.warnings.contains { $0.hasSuffix("is ended") }, "\(outcome)")
        #expect(store.now.objects[key]?.content == content && store.now.uploads.isEmpty)
        #expect(!hasNote(folder))
    }

    @Test func `another upload that somebody has ended is in nobody's way`() async throws {
        try await within(60) {
            let store = try ScriptedStore(hasChecksums: true)
            defer { store.close() }
            let folder = try Scratch()
            try Self.interrupt(store, in: folder)
            store.change { $0.uploads = [:] }
            let outcome = try Self.run(to: store, in: folder, recipe: "other")
            #expect(outcome.failure == nil && outcome.sent == Self.partCount && !Self.hasNote(folder))
        }
    }

    /// The store puts the parts together late, and meanwhile has no upload: the new one is not what the object is.
    @Test(arguments: [false, true])
    func `an object that an earlier run makes late is not that of the new upload`(isReplacing: Bool) async throws {
        try await within(60) {
            let there = Mutex<ScriptedStore?>(nil)
            let mark = Mutex("")
            let store = try ScriptedStore(hasChecksums: true) { kind, _ in
                if kind == .complete {
                    there.withLock { $0 }?.change { $0.objects[Self.key] = ([1], mark.withLock { $0 }) }
                }
                return nil
            }
            defer { store.close() }
            there.withLock { $0 = store }
            defer { there.withLock { $0 = nil } }
            let folder = try Scratch()
            try Self.interrupt(store, in: folder)
            let old = try #require(store.now.uploads.values.first?.mark)
            mark.withLock { $0 = old }
            store.change { $0.uploads = [:] }
            let outcome = try Self.run(to: store, in: folder, isReplacing: isReplacing)
            #expect(outcome.failure?.code == (isReplacing ? nil : .fileExists), "\(outcome)")
            #expect(store.now.objects[Self.key]?.content == (isReplacing ? Self.content : [1]))
            // No run would fare better, so that nothing stays.
            #expect(store.now.uploads.isEmpty && !Self.hasNote(folder), "\(outcome)")
        }
    }

    enum Fate: CaseIterable, Sendable { case stays, isRemoved, isReplaced }

    @Test(arguments: Fate.allCases)
    func `an object that was there at the start is asked for at the end`(fate: Fate) async throws {
        try await within(60) {
            let there = Mutex<ScriptedStore?>(nil)
            let looks = Atomic(-1)
            let store = try ScriptedStore(hasChecksums: true) { kind, _ in
                guard kind == .look, looks.load(ordering: .acquiring) >= 0 else { return nil }
                guard looks.add(1, ordering: .acquiringAndReleasing).oldValue == 1, fate != .stays else { return nil }
                there.withLock { $0 }?.change { $0.objects[Self.key] = fate == .isRemoved ? nil : ([1], "") }
                return nil
            }
            defer { store.close() }
            there.withLock { $0 = store }
            defer { there.withLock { $0 = nil } }
            let folder = try Scratch()
            try Self.interrupt(store, in: folder)
            let mark = try #require(store.now.uploads.values.first?.mark)
            store.change { ($0.uploads, $0.objects) = ([:], [Self.key: (Self.content, mark)]) }
            looks.store(0, ordering: .releasing)
            let outcome = try Self.run(to: store, in: folder)
            #expect(outcome.sent == 0 && looks.load(ordering: .acquiring) == 2, "\(outcome)")
            #expect((outcome.failure?.code == .writing) == (fate != .stays), "\(outcome)")
            #expect(Self.hasNote(folder) == (fate != .stays))
        }
    }

    @Test(arguments: [ScriptedStore.Fault.missing, .damaged, .conflicting])
    func `any other refusal of the list keeps the note, and tells of the upload`(
        fault: ScriptedStore.Fault
    ) async throws {
        try await within(100) {
            let isLater = Atomic(false)
            let store = try ScriptedStore(hasChecksums: true) { other, _ in
                other == .list && isLater.load(ordering: .acquiring) ? fault : nil
            }
            defer { store.close() }
            let folder = try Scratch()
            try Self.interrupt(store, in: folder)
            let (noted, there) = (Self.noteText(folder), store.now.uploads.values.first?.parts.count ?? 0)
            isLater.store(true, ordering: .releasing)
            let failed = try Self.run(to: store, in: folder)
            #expect(failed.failure?.code == .writing && failed.sent == 0, "\(failed)")
            #expect(failed.warnings.contains { $0.contains("may be left there: aws s3api abort-") }, "\(failed)")
            #expect(Self.noteText(folder) == noted && store.now.uploads.count == 1)
            isLater.store(false, ordering: .releasing)
            let outcome = try Self.run(to: store, in: folder)
            #expect(outcome.failure == nil && outcome.sent == Self.partCount - there, "\(outcome)")
        }
    }

    @Test(arguments: [false, true])
    func `an upload is left only where the same command may fare better`(isDamaged: Bool) async throws {
        try await within(60) {
            let store = try ScriptedStore(hasChecksums: true)
            defer { store.close() }
            let folder = try Scratch()
            let warnings = Mutex<[String]>([])
            var options = try store.options()
            options.onWarning = { sentence in warnings.withLock { $0.append(sentence) } }
            let location = try #require(RemoteLocation("s3:/" + Self.key))
            let upload = try ObjectUpload(
                WrittenObject(location, client: RemoteClient(options: options)), PartPlan(.parts(Self.partSize)),
                note: Self.note(in: folder), isReplacing: false)
            try upload.write(Piece(Bytes(Self.content[..<3500])))
            _ = eventually { upload.state.withLock { $0.sent.count >= 2 } }
            // The input is damaged, for example; or memory, threads or the disk of the source have failed once.
            if isDamaged { upload.leaveNothing() }
            upload.abandon()
            #expect(store.now.uploads.isEmpty == isDamaged && Self.hasNote(folder) != isDamaged)
            let isSaid = warnings.withLock { $0.contains { $0.contains("continues") } }
            #expect(isSaid != isDamaged)
        }
    }

    @Test func `an upload that is gone begins anew`() async throws {
        try await within(60) {
            let store = try ScriptedStore(hasChecksums: true)
            defer { store.close() }
            let folder = try Scratch()
            try Self.interrupt(store, in: folder)
            store.change { $0.uploads = [:] }
            let outcome = try Self.run(to: store, in: folder)
            #expect(outcome.failure == nil && outcome.sent == Self.partCount)
            #expect(outcome.warnings.contains { $0.hasSuffix("it begins anew") })
            #expect(!Self.hasNote(folder))
            #expect(store.now.objects[Self.key]?.content == Self.content)
        }
    }

    @Test(arguments: [ScriptedStore.Kind.part, .complete])
    func `an upload that goes while it goes on leaves nothing`(kind: ScriptedStore.Kind) async throws {
        try await within(60) {
            let there = Mutex<ScriptedStore?>(nil)
            let isLater = Atomic(false)
            let store = try ScriptedStore(hasChecksums: true) { other, _ in
                if other == kind, isLater.exchange(false, ordering: .acquiringAndReleasing) {
                    there.withLock { $0 }?.change { $0.uploads = [:] }
                }
                return nil
            }
            defer { store.close() }
            there.withLock { $0 = store }
            defer { there.withLock { $0 = nil } }
            let folder = try Scratch()
            try Self.interrupt(store, in: folder)
            isLater.store(true, ordering: .releasing)
            let outcome = try Self.run(to: store, in: folder)
            #expect(outcome.failure?.message.contains("somebody has ended the upload") == true, "\(outcome)")
            #expect(!outcome.warnings.contains { $0.contains("continues") } && !Self.hasNote(folder), "\(outcome)")
            #expect(try Self.run(to: store, in: folder).failure == nil)
            #expect(store.now.objects[Self.key]?.content == Self.content)
        }
    }

    /// The store, or another run, may have put other bytes there, and a list may say anything.
    @Test func `a part that the store lists with another size or checksum is sent again`() async throws {
        try await within(60) {
            for change in 0..<3 {
                let store = try ScriptedStore(hasChecksums: true) { kind, _ in
                    kind == .list && change == 2 ? .refused : nil
                }
                defer { store.close() }
                let folder = try Scratch()
                try Self.interrupt(store, in: folder)
                store.change { state in
                    for (name, upload) in state.uploads where change < 2 {
                        for number in upload.parts.keys {
                            if change == 0 { state.uploads[name]?.parts[number] = [1] }
                            if change == 1 { state.uploads[name]?.sums[number] = "AAAAAA==" }
                        }
                    }
                }
                let outcome = try Self.run(to: store, in: folder)
                #expect(outcome.failure == nil && outcome.sent == Self.partCount, "\(change) \(outcome)")
                #expect(store.now.objects[Self.key]?.content == Self.content && store.now.uploads.isEmpty)
            }
        }
    }

    @Test func `an output that fits one part leaves no note`() async throws {
        let store = try ScriptedStore(hasChecksums: true) { kind, number in
            kind == .put && number < 3 ? .refused : nil
        }
        defer { store.close() }
        let folder = try Scratch()
        for isRefused in [true, false] {
            let outcome = try await within { try Self.run(sample(400), to: store, in: folder) }
            store.settle()
            #expect((outcome.failure != nil) == isRefused && !Self.hasNote(folder))
        }
    }

    @Test func `of two runs of one source the second fails`() throws {
        let folder = try Scratch()
        let first = try Self.note(in: folder)
        #expect { try Self.note(in: folder) } throws: { ($0 as? Failure)?.code == .isBeingMade }
        withExtendedLifetime(first) {}
    }

    @Test func `a note of which nothing comes does not stay`() throws {
        let folder = try Scratch()
        _ = try Self.note(in: folder)
        #expect(!Self.hasNote(folder))
    }

    @Test(arguments: ["mine\n", "sluice upload 2\nend\n", "sluice upload 1\nend\n", "sluice upload 10"])
    func `a file of that name that is no note stays as it is`(text: String) throws {
        let folder = try Scratch()
        let path = folder.path.appending(".plain.upload.note")
        let file = try FileDescriptor.open(path, .writeOnly, options: [.create], permissions: .ownerReadWrite)
        defer { try? file.close() }
        _ = try file.writeAll(text.utf8)
        #expect { try Self.note(in: folder) } throws: { ($0 as? Failure)?.code == .file }
        #expect(Self.noteText(folder) == Array(text.utf8))
    }

    @Test func `a note that others may have written is refused`() throws {
        let folder = try Scratch()
        let path = folder.path.appending(".plain.upload.note")
        func plant(_ mode: FilePermissions) throws {
            let file = try FileDescriptor.open(path, .writeOnly, options: [.create], permissions: mode)
            _ = try file.writeAll("sluice upload 1\n".utf8)
            try file.close()
        }
        func isRefused() -> Bool {
            do throws(Failure) { _ = try Self.note(in: folder) } catch { return error.code == .sharedLeftover }
            return false
        }
        try plant([.ownerReadWrite, .groupRead, .otherRead])
        #expect(isRefused())
        #expect(chmod(path.string, 0o600) == 0 && !isRefused())
        #expect(link(path.string, path.string + "2") == 0 && isRefused())
        #expect(unlink(path.string) == 0 && symlink(path.string + "2", path.string) == 0 && isRefused())
    }

    @Test func `a note that was not written as a whole is none`() throws {
        let location = try #require(RemoteLocation("s3:/" + Self.key))
        for plan in [PartPlan(.unknown), PartPlan(.parts(1000)), PartPlan(.expected(5 << 40))] {
            let record = UploadNote.Record(
                object: location, server: "a", recipe: "b", mark: "0123456789abcdef",
                parts: WrittenObject.Parts(
                    identifier: "up/1+=", hasChecksums: true, areTagsHashes: plan.sizes.first == 1000),
                sizes: plan.sizes)
            let text = record.text
            #expect(UploadNote.Record(text) == record)
            for count in 0..<text.utf8.count {
                let torn = String(decoding: Array(text.utf8.prefix(count)), as: UTF8.self)
                #expect(UploadNote.Record(torn) == nil && UploadNote.Record.isTorn(torn), "\(torn)")
            }
            #expect(!UploadNote.Record.isTorn(text) && UploadNote.Record.isTorn("\0\0"))
            for (word, other) in [("sluice upload 1", "sluice upload 2"), ("s3://", "http://"), ("up/1", "up 1")] {
                #expect(UploadNote.Record(text.replacing(word, with: other)) == nil)
            }
        }
    }

    /// A list of parts is what a server says.
    @Test func `what can't be a part is no part`() throws {
        func part(_ number: String, _ size: String, _ tag: String) -> String {
            "<Part><PartNumber>\(number)</PartNumber><Size>\(size)</Size><ETag>\(tag)</ETag></Part>"
        }
        // Brings the library that computes digests.
        _ = try RemoteClient()
        let digits = try RequestContent(Array("123456789".utf8))
        let md5 = "25f9e794323b453885f5181f1b624d0b"
        let tagged = WrittenObject.Parts(identifier: "u", hasChecksums: false)
        for (number, size, tag) in [
            ("0", "9", md5), ("-1", "9", md5), ("10001", "9", md5), ("9223372036854775807", "9", md5),
            ("1", "-9", md5), ("1", "9", ""), ("1", "9", String(repeating: "a", count: 2000)), ("1", "9", "a\u{1}b"),
            ("1", "9", md5.replacing("2", with: "3")), ("1", "8", md5),
        ] {
            var upload = UnfinishedUpload()
            _ = upload.add(Array(part(number, size, tag).utf8))
            #expect(upload.part(Int(number) ?? 0, with: digits, of: tagged) == nil, "\(number) \(size)")
        }
        var upload = UnfinishedUpload()
        for marker in ["-1", "0", "10000", "9223372036854775807", "99999999999999999999", "x"] {
            let list = "<L><IsTruncated>true</IsTruncated><NextPartNumberMarker>\(marker)</NextPartNumberMarker></L>"
            #expect(upload.add(Array(list.utf8)) == nil, "\(marker)")
        }
        _ = upload.add(Array(part("1", "9", md5).utf8))
        #expect(upload.part(1, with: digits, of: tagged)?.tag == Array(md5.utf8))
        #expect(upload.part(2, with: digits, of: tagged) == nil)
        #expect(UnfinishedUpload.md5(ofTag: Array(repeating: UInt8(ascii: "+"), count: 32)) == nil)
    }

    /// Whoever may write the bucket can put another part there that has the same checksum.
    @Test func `a part is kept if its checksum and its tag both go with the bytes, and one of them is there`() throws {
        _ = try RemoteClient()
        let digits = try RequestContent(Array("123456789".utf8))
        let (md5, sum) = ("25f9e794323b453885f5181f1b624d0b", "4waSgw==")
        #expect(RequestContent.base64(digits.crc32c) == sum)
        for tag in [md5, md5.uppercased(), "\"\(md5)\"", md5.replacing("2", with: "3"), "abc-1"] {
            for listed in [nil, sum, "4waSgg=="] {
                for (hasChecksums, areHashes) in [(false, false), (false, true), (true, false), (true, true)] {
                    let checksum = listed.map { "<ChecksumCRC32C>\($0)</ChecksumCRC32C>" } ?? ""
                    let row = "<PartNumber>1</PartNumber><Size>9</Size><ETag>\(tag)</ETag>\(checksum)"
                    var upload = UnfinishedUpload()
                    _ = upload.add(Array("<Part>\(row)</Part>".utf8))
                    let parts = WrittenObject.Parts(
                        identifier: "u", hasChecksums: hasChecksums, areTagsHashes: areHashes)
                    let isHash = areHashes && tag != "abc-1"
                    let isKept =
                        (listed == sum || listed == nil && isHash) && (!isHash || !tag.contains("35f9"))
                    let kept = upload.part(1, with: digits, of: parts)
                    #expect((kept != nil) == isKept, "\(tag) \(listed ?? "-") \(hasChecksums) \(areHashes)")
                    #expect(kept == nil || kept?.checksum == (hasChecksums ? sum : nil))
                }
            }
        }
    }
}
