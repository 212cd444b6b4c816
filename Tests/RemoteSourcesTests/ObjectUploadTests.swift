import ByteStreams
import Glibc
import StreamTestSupport
import Synchronization
import Testing

@testable import RemoteSinks
@testable import RemoteSources

/// All or nothing: whatever becomes of a request, there is an object with all of the content, or none.
@Suite(.timeLimit(.minutes(4)))
struct ObjectUploadTests {
    private static let key = "/bucket/a b+c.zst"
    private static let content = sample(4500)
    private static let partSize = 1000

    private struct Outcome: Sendable {
        let failure: Failure?
        let state: ScriptedStore.State
        let warnings: [String]

        /// The bytes of the object; nil if there is none.
        var object: [UInt8]? { state.objects[key]?.content }

        /// Whether the object has these bytes. (A message with thousands of them helps nobody.)
        func isWhole(_ content: [UInt8]) -> Bool { object == content }
    }

    /// Sends the content in pieces that end elsewhere than parts.
    private static func upload(
        _ content: [UInt8] = content, to store: ScriptedStore, isReplacing: Bool = false, patience: Int = 10,
        partSize: Int = partSize, endsFirst: Bool = true, headers: [String] = [],
        didStart: (ObjectUpload) -> Void = { _ in }
    ) throws -> Outcome {
        let warnings = Mutex<[String]>([])
        var options = try store.options()
        (options.patience, options.headers) = (patience, headers)
        options.onWarning = { sentence in warnings.withLock { $0.append(sentence) } }
        let location = try #require(RemoteLocation("s3:/" + key))
        var failure: Failure?
        do throws(Failure) {
            let object = try WrittenObject(location, client: RemoteClient(options: options))
            let plan = PartPlan(.parts(partSize), connections: 2)
            let upload = try ObjectUpload(object, plan, isReplacing: isReplacing)
            defer { upload.abandon() }
            didStart(upload)
            for start in stride(from: 0, to: content.count, by: 700) {
                try upload.write(Piece(Bytes(content[start..<min(content.count, start + 700)])))
            }
            if endsFirst { try upload.end(after: 0, of: UInt64(content.count)) }
            try upload.complete()
        } catch { failure = error }
        return Outcome(failure: failure, state: store.now, warnings: warnings.withLock { $0 })
    }

    private static func begin(
        to store: ScriptedStore, isReplacing: Bool = false, asksAnyway: Bool = false,
        didFail: @escaping @Sendable (Failure) -> Void = { _ in }
    ) throws -> ObjectUpload {
        let location = try #require(RemoteLocation("s3:/" + key))
        return try ObjectUpload(
            WrittenObject(location, client: RemoteClient(options: store.options())),
            PartPlan(.parts(partSize), connections: 2), isReplacing: isReplacing, asksAnyway: asksAnyway,
            didFail: didFail)
    }

    @Test(arguments: [0, 1, 999, 1000, 1001, 2000, 4500])
    func `an object has the bytes that were written`(count: Int) async throws {
        let store = try ScriptedStore()
        defer { store.close() }
        let content = sample(count)
        let outcome = try await within { try Self.upload(content, to: store) }
        #expect(outcome.failure == nil)
        #expect(outcome.isWhole(content))
        #expect(outcome.state.uploads.isEmpty)
        #expect(outcome.state.kinds.contains(.put) == (count <= Self.partSize))
    }

    /// Of all requests of an upload each fails once, in each way.
    @Test(arguments: ScriptedStore.Fault.allCases)
    func `an object is whole or absent, whichever request fails`(fault: ScriptedStore.Fault) async throws {
        for count in [400, 4500] {
            let content = sample(count)
            let whole = try ScriptedStore()
            defer { whole.close() }
            let requests = try await within { try Self.upload(content, to: whole) }.state.kinds.count
            let outcomes = try await within(60) {
                try runLanes(8, over: requests) { number, _ throws(Failure) in
                    do {
                        let store = try ScriptedStore { kind, other in
                            other == number && fault.isPossible(for: kind) ? fault : nil
                        }
                        defer { store.close() }
                        return try Self.upload(content, to: store)
                    } catch { throw error as? Failure ?? .cancelled }
                }
            }
            for (number, outcome) in outcomes.enumerated() {
                let kind = try #require(outcome.state.kinds.dropFirst(number).first)
                #expect(outcome.failure == nil ? outcome.isWhole(content) : outcome.object == nil, "\(kind) \(fault)")
                // What the store has begun without saying so has no parts.
                let left = outcome.state.uploads.values.filter { kind != .begin || !$0.parts.isEmpty }
                #expect(left.isEmpty, "\(kind) \(fault)")
                // The key may be one that may not ask. What may pass is tried again.
                let isFinal =
                    switch fault {
                    case .refused: kind != .look
                    // What is asked for once more, before the object is made, need not be answered.
                    case .redirected: kind != .look || number == 0
                    case .unimplemented: kind != .look && kind != .begin
                    case .uneven, .insideExists: kind == .complete
                    // A success that says nothing has done nothing. That of a completion is asked for again.
                    case .hollow: kind != .complete
                    default: false
                    }
                #expect(outcome.state.keys == [Self.key], "\(kind) \(fault)")
                #expect((outcome.failure != nil) == isFinal, "\(kind) \(fault) \(outcome.failure?.message ?? "")")
                #expect(outcome.failure?.message.contains("If-None-Match") != true, "\(kind) \(fault)")
                #expect(outcome.warnings.isEmpty)
            }
        }
    }

    @Test func `a run that is cancelled at any request leaves no part of an object`() async throws {
        let whole = try ScriptedStore()
        defer { whole.close() }
        let requests = try await within { try Self.upload(to: whole) }.state.kinds.count
        let outcomes = try await within(60) {
            try runLanes(8, over: requests) { number, _ throws(Failure) in
                do {
                    let upload = Mutex<ObjectUpload?>(nil)
                    let store = try ScriptedStore { _, other in
                        if other == number { upload.withLock { $0 }?.cancel() }
                        return nil
                    }
                    defer { store.close() }
                    return try Self.upload(to: store) { begun in upload.withLock { $0 = begun } }
                } catch { throw error as? Failure ?? .cancelled }
            }
        }
        for outcome in outcomes {
            #expect(outcome.object == nil || outcome.isWhole(Self.content))
            // A run that fails says so if there is an object all the same.
            let isSaid = outcome.warnings.contains { $0.hasSuffix("the object was made all the same") }
            #expect(isSaid == (outcome.failure != nil && outcome.object != nil))
            // Nor an upload without parts: what the store has begun is waited for.
            #expect(outcome.state.uploads.isEmpty)
        }
        #expect(outcomes.contains { $0.failure != nil })
    }

    /// The network fails, or the key may not ask: the object is there, and the run can't know it.
    @Test(arguments: [400, 4500], [ScriptedStore.Fault.refused, .dropped])
    func `a run that fails says that an object may be there if nothing tells what came of it`(
        count: Int, answer: ScriptedStore.Fault
    ) async throws {
        let isAsked = Mutex(false)
        let store = try ScriptedStore { kind, _ in
            if kind == .put || kind == .complete {
                isAsked.withLock { $0 = true }
                return .lost
            }
            return kind == .look && isAsked.withLock { $0 } ? answer : nil
        }
        defer { store.close() }
        let content = sample(count)
        let outcome = try await within(60) { try Self.upload(content, to: store, isReplacing: true) }
        #expect(outcome.isWhole(content))
        #expect(outcome.failure?.message.hasSuffix(Failure.isNotTold) == true, "\(outcome.failure?.message ?? "")")
    }

    @Test func `an object that a signal finds in the making is told, however late the store makes it`() async throws {
        let upload = Mutex<ObjectUpload?>(nil)
        let store = try ScriptedStore { kind, _ in
            guard kind == .complete else { return nil }
            upload.withLock { $0 }?.cancel()
            return .late
        }
        defer { store.close() }
        let outcome = try await within { try Self.upload(to: store) { begun in upload.withLock { $0 = begun } } }
        #expect(outcome.failure == .cancelled)
        #expect(outcome.isWhole(Self.content))
        #expect(outcome.warnings.contains { $0.hasSuffix("the object was made all the same") })
    }

    /// S3 does so for an object that is encrypted with the key of whoever made it.
    @Test(arguments: [400, 4500])
    func `a store that refuses each question is trusted with the condition`(count: Int) async throws {
        let store = try ScriptedStore { kind, _ in kind == .look ? .expired : nil }
        defer { store.close() }
        let content = sample(count)
        let outcome = try await within { try Self.upload(content, to: store) }
        #expect(outcome.failure == nil && outcome.isWhole(content))
        store.put([1], as: Self.key)
        let other = try await within { try Self.upload(content, to: store) }
        #expect(other.failure?.code == .fileExists && other.object == [1])
    }

    /// Before a command has run for hours.
    @Test func `lines that can't be signed are refused before the first request`() async throws {
        let store = try ScriptedStore()
        defer { store.close() }
        let lines = ["x-amz-server-side-encryption: aws:kms", "x-amz-server-side-encryption-aws-kms-key-id: k"]
        let outcome = try await within { try Self.upload(sample(400), to: store, headers: lines) }
        #expect(outcome.failure == nil ? outcome.object != nil : outcome.state.kinds.isEmpty)
    }

    @Test func `of a store that is gone the run ends within three seconds, and tells how to end the upload`()
        async throws
    {
        let upload = Mutex<ObjectUpload?>(nil)
        let vanishing = Mutex<ScriptedStore?>(nil)
        let store = try ScriptedStore { kind, _ in
            if kind == .part {
                vanishing.withLock { $0 }?.vanish()
                upload.withLock { $0 }?.cancel()
            }
            return nil
        }
        defer { store.close() }
        vanishing.withLock { $0 = store }
        let (outcome, time) = try await within {
            let start = ContinuousClock.now
            let outcome = try Self.upload(to: store) { begun in upload.withLock { $0 = begun } }
            return (outcome, ContinuousClock.now - start)
        }
        #expect(time < .seconds(3))
        #expect(outcome.object == nil)
        let number = try #require(outcome.state.uploads.keys.first)
        let command = "aws s3api abort-multipart-upload --bucket bucket --key 'a b+c.zst' --upload-id \(number) ends it"
        #expect(outcome.warnings.contains { $0.hasSuffix(command) && !$0.contains("hidden") })
    }

    /// Less comes through in a second than a socket holds.
    @Test func `a part takes as long as the network needs, however short the patience is`() async throws {
        let store = try ScriptedStore(bytesPerSecond: 200_000)
        defer { store.close() }
        let content = sample(900_000)
        let outcome = try await within { try Self.upload(content, to: store, patience: 1, partSize: 800_000) }
        #expect(outcome.failure == nil)
        #expect(outcome.isWhole(content))
        #expect(outcome.state.kinds.filter { $0 == .part }.count == 2)
    }

    @Test func `an object that is there stays, unless it may be replaced`() async throws {
        for isReplacing in [false, true] {
            let store = try ScriptedStore()
            defer { store.close() }
            store.put([1], as: Self.key)
            let outcome = try await within { try Self.upload(to: store, isReplacing: isReplacing) }
            #expect(outcome.failure?.code == (isReplacing ? nil : .fileExists))
            #expect(outcome.isWhole(isReplacing ? Self.content : [1]))
        }
    }

    @Test func `what was not passed on when the object is made is a part of it`() async throws {
        let store = try ScriptedStore()
        defer { store.close() }
        let outcome = try await within { try Self.upload(to: store, endsFirst: false) }
        #expect(outcome.failure == nil)
        #expect(outcome.isWhole(Self.content))
    }

    @Test func `a run is told of a part that is refused, though it writes nothing more`() async throws {
        let store = try ScriptedStore { kind, _ in kind == .part ? .refused : nil }
        defer { store.close() }
        let failure = try await within { () -> Failure? in
            let told = Mutex<Failure?>(nil)
            let upload = try Self.begin(to: store, didFail: { failure in told.withLock { $0 = failure } })
            defer { upload.abandon() }
            // It may be refused before this returns.
            _ = try? upload.write(Piece(Bytes(Self.content[..<1500])))
            _ = eventually { told.withLock { $0 } != nil }
            return told.withLock { $0 }
        }
        #expect(failure?.code == .writing)
        #expect(failure?.message.contains("AccessDenied") == true)
    }

    /// With -f the store is asked once more, so that what the object has replaced is known.
    @Test func `an object is removed only if there was none when it was made`() async throws {
        for isThere in [false, true] {
            let rival = Mutex<ScriptedStore?>(nil)
            let store = try ScriptedStore { kind, _ in
                if kind == .part, isThere { rival.withLock { $0 }?.put([1], as: Self.key) }
                return nil
            }
            defer { store.close() }
            rival.withLock { $0 = store }
            let isRemoved = try await within {
                let upload = try Self.begin(to: store, isReplacing: true, asksAnyway: true)
                defer { upload.abandon() }
                try upload.write(Piece(Bytes(Self.content[...])))
                try upload.end(after: 0, of: UInt64(Self.content.count))
                try upload.complete()
                return try upload.remove()
            }
            #expect(isRemoved == !isThere)
            #expect((store.now.objects[Self.key] != nil) == isThere)
        }
    }

    /// A gate of a network answers everything with a page. With -f nothing is asked before.
    @Test func `a success that gives no tag makes no object`() async throws {
        let store = try ScriptedStore { _, _ in .hollow }
        defer { store.close() }
        let outcome = try await within { try Self.upload(sample(400), to: store, isReplacing: true) }
        #expect(outcome.failure?.message.contains("gives no tag") == true)
        #expect(outcome.object == nil)
    }

    /// A part that is under way when its upload is ended survives that.
    @Test func `an upload is ended until the store says that there is none`() async throws {
        let upload = Mutex<ObjectUpload?>(nil)
        let store = try ScriptedStore(survives: true) { kind, _ in
            if kind == .part { upload.withLock { $0 }?.cancel() }
            return nil
        }
        defer { store.close() }
        let outcome = try await within { try Self.upload(to: store) { begun in upload.withLock { $0 = begun } } }
        #expect(outcome.failure == .cancelled)
        #expect(outcome.state.uploads.isEmpty)
        #expect(outcome.state.kinds.filter { $0 == .abort }.count == 2)
    }

    /// A signal ends the requests of the run, and the answer to this one says what came of it.
    @Test(arguments: [400, 4500])
    func `the end of the other requests of a run does not end those for its object`(count: Int) async throws {
        let others = Mutex<RemoteClient?>(nil)
        let store = try ScriptedStore { kind, _ in
            if kind == .put || kind == .complete { others.withLock { $0 }?.cancel() }
            return nil
        }
        defer { store.close() }
        let content = sample(count)
        let client = try RemoteClient(options: store.options())
        others.withLock { $0 = client }
        try await within {
            let location = try #require(RemoteLocation("s3:/" + Self.key))
            let object = try WrittenObject(location, client: client)
            let upload = try ObjectUpload(object, PartPlan(.parts(Self.partSize)), isReplacing: false)
            defer { upload.abandon() }
            try upload.write(Piece(Bytes(content[...])))
            try upload.end(after: 0, of: UInt64(count))
            try upload.complete()
        }
        #expect(store.now.objects[Self.key]?.content == content)
    }

    /// R2 does.
    @Test func `a store that wants parts of one size is named with the option that makes them`() async throws {
        for (plan, count) in [
            (PartPlan(.unknown, memory: 20 << 20, step: 1), 16 << 20), (PartPlan(.parts(1000)), 4500),
        ] {
            let store = try ScriptedStore { kind, _ in kind == .complete ? .uneven : nil }
            defer { store.close() }
            let content = sample(count)
            let isEven = count == 4500
            let failure = try await within { () -> Failure? in
                let location = try #require(RemoteLocation("s3:/" + Self.key))
                let object = try WrittenObject(location, client: RemoteClient(options: store.options()))
                let upload = try ObjectUpload(object, plan, isReplacing: false)
                defer { upload.abandon() }
                do throws(Failure) {
                    try upload.write(Piece(Bytes(content[...])))
                    try upload.complete()
                    return nil
                } catch { return error }
            }
            #expect(failure?.message.contains("--upload-part=SIZE") == !isEven, "\(failure?.message ?? "")")
            #expect(store.now.objects.isEmpty && store.now.uploads.isEmpty)
        }
    }

    @Test func `what is sent in the clear is hashed, or not sent`() async throws {
        let store = try ScriptedStore()
        defer { store.close() }
        try await within {
            let location = try #require(RemoteLocation("s3:/" + Self.key))
            let object = try WrittenObject(location, client: RemoteClient(options: store.options()))
            // Both digests are given up, though somebody wants them.
            let asked = Atomic(0)
            let memory = try #require(calloc(3 << 20, 1))
            let room = UnsafeMutableRawBufferPointer(start: memory, count: 3 << 20)
            let isOver = { @Sendable in asked.add(1, ordering: .relaxed).newValue <= 2 }
            let content = RequestContent(HeapMemory(room), count: 3 << 20, isOver: isOver)
            #expect(throws: Failure.self) { try object.put(content, .absent) }
        }
        #expect(!store.now.kinds.contains(.put))
    }

    @Test(arguments: [400, 4500])
    func `of two runs at once one makes the object`(count: Int) async throws {
        let vanishing = Mutex<ScriptedStore?>(nil)
        // Somebody makes it after both questions.
        let store = try ScriptedStore { kind, _ in
            if kind == .put || kind == .complete { vanishing.withLock { $0 }?.put([1], as: Self.key) }
            return nil
        }
        defer { store.close() }
        vanishing.withLock { $0 = store }
        let content = sample(count)
        let outcome = try await within { try Self.upload(content, to: store) }
        #expect(outcome.failure?.code == .fileExists)
        #expect(outcome.object == [1])
        #expect(outcome.state.uploads.isEmpty)
    }
}

extension ScriptedStore.Fault {
    /// Whether a store fails so for a request of this kind.
    fileprivate func isPossible(for kind: ScriptedStore.Kind) -> Bool {
        switch self {
        case .inside, .insideExists, .uneven: kind == .complete
        case .damaged: kind == .put || kind == .part
        case .conflicting: kind == .put || kind == .complete
        case .late: kind == .complete
        default: true
        }
    }
}

struct PartPlanTests {
    private static let mebibyte = 1 << 20

    /// Sizes and limits that anybody may type.
    @Test func `any memory and any size make a plan`() {
        let numbers = [0, 1, 5 << 20, 8 << 20, 20 << 20, 1 << 40, Int.max]
        for memory in numbers {
            for number in numbers {
                for size in [PartPlan.Size.expected(UInt64(number)), .expected(.max), .unknown, .parts(1 << 30)] {
                    let plan = PartPlan(size, memory: memory)
                    let largest = plan.size(of: 10_000) ?? 0
                    #expect(PartPlan.leastPart...PartPlan.mostPart ~= (plan.size(of: 1) ?? 0))
                    #expect(plan.capacity > 0 && largest <= plan.most)
                    let most = max(memory, PartPlan.leastPart, plan.size(of: 1) ?? 0)
                    #expect(size == .unknown ? plan.most == most : plan.most <= most)
                }
            }
        }
    }

    @Test(arguments: [10, 16, 64, 100, 256], [1, 5, 100, 5000, 160_000, 1_000_000, 2_400_000])
    func `parts hold what is expected, and fit the memory`(memory: Int, size: Int) {
        let expected = UInt64(size) << 20
        let plan = PartPlan(.expected(expected), memory: memory * Self.mebibyte)
        #expect(plan.capacity >= expected)
        for number in [1, 999, 1000, 1001, 2500, 9999, 10_000] {
            let part = plan.size(of: number) ?? 0
            #expect(part >= PartPlan.leastPart)
            let connections = plan.connections(for: part)
            #expect(1...16 ~= connections)
            #expect(part * connections <= plan.memory || connections == 1)
            #expect(plan.room(for: part) <= plan.memory)
            #expect(plan.room(for: part) >= part * connections || connections == 1)
            // Larger than half of the memory only where 10,000 parts would not do.
            #expect(part <= plan.memory / 2 || UInt64(part - Self.mebibyte) * 10_000 <= expected)
        }
        #expect(plan.size(of: 10_001) == nil)
    }

    @Test func `an object of unknown size may have about a tebibyte`() {
        let plan = PartPlan(.unknown)
        #expect(plan.capacity >= 980 << 30)
        #expect((plan.size(of: 1), plan.size(of: 10_000)) == (16 << 20, 128 << 20))
        #expect((plan.connections(for: 16 << 20), plan.connections(for: 128 << 20)) == (16, 2))
        #expect(plan.isEven(1000) && !plan.isEven(1002))
        #expect(plan.scarceCapacity == nil)
    }

    /// As docs/remote.md has them.
    @Test(arguments: [(20, 48), (64, 75), (256, 252)])
    func `with little memory an object of unknown size has less, and says so`(limit: Int, gibibytes: UInt64) {
        let plan = PartPlan(.unknown, memory: limit * Self.mebibyte / 4)
        #expect(plan.scarceCapacity.map { $0 >> 30 } == gibibytes)
        #expect(PartPlan(.parts(5 << 20), memory: limit * Self.mebibyte / 4).scarceCapacity == nil)
    }

    /// Else the run would have less memory for its frames than it could have.
    @Test(arguments: [1, 2, 8, 16], [1, 100, 30_000, 2_400_000])
    func `no more memory is reserved than the connections use`(connections: Int, size: Int) {
        let first = PartPlan(.expected(UInt64(size) << 20)).size(of: 1) ?? 0
        for size in [PartPlan.Size.expected(UInt64(size) << 20), .parts(first)] {
            let plan = PartPlan(size, connections: connections)
            #expect(plan.most == max(first, min(PartPlan.usualMemory, 2 * connections * first)))
            for number in [1, 1000, 1001, 9999, 10_000] {
                let part = plan.size(of: number) ?? 0
                #expect(part <= plan.most && plan.room(for: part) <= plan.most)
            }
            #expect(plan.connections(for: first) == max(1, min(connections, PartPlan.usualMemory / first)))
        }
        #expect(PartPlan(.unknown, connections: connections).most == PartPlan.usualMemory)
    }

    @Test func `with a known size five tebibytes fit`() {
        #expect(PartPlan(.expected(5 << 40)).capacity >= 5 << 40)
        #expect(PartPlan(.parts(525 << 20)).capacity >= 5 << 40)
        let plan = PartPlan(.parts(8 << 20))
        #expect(plan.isEven(10_000) && plan.size(of: 10_000) == 8 << 20)
    }
}

struct RequestContentTests {
    private static func content(_ text: String) throws -> RequestContent { try RequestContent(Array(text.utf8)) }

    /// The check values of the checksum and the digests.
    @Test func `checksums are those that stores compute`() throws {
        let digits = try Self.content("123456789")
        #expect(digits.crc32c == [0xE3, 0x06, 0x92, 0x83])
        #expect(RequestContent.base64(digits.crc32c) == "4waSgw==")
        #expect(try Self.content("").crc32c == [0, 0, 0, 0])
        // 32 zeros, of RFC 3720, B.4.
        #expect(try RequestContent([UInt8](repeating: 0, count: 32)).crc32c == [0x8A, 0x91, 0x36, 0xAA])
    }

    @Test func `digests are computed by the library that libcurl brings`() throws {
        let text = try Self.content("abc")
        // Nothing may have brought it yet, which does not count later.
        _ = text.md5
        _ = try RemoteClient()
        #expect(text.md5.map(RequestContent.hexadecimal) == "900150983cd24fb0d6963f7d28e17f72")
        #expect(text.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    /// A digest of a large part takes seconds, and is given up within milliseconds.
    @Test func `nobody waits for a digest that nobody wants any more`() throws {
        _ = try RemoteClient()
        let size = 3 << 20
        let memory = try #require(calloc(size, 1))
        let asked = Atomic(0)
        let most = Atomic(Int.max)
        let content = RequestContent(
            HeapMemory(UnsafeMutableRawBufferPointer(start: memory, count: size)), count: size,
            isOver: { asked.add(1, ordering: .relaxed).newValue > most.load(ordering: .relaxed) })
        #expect(content.md5.map(RequestContent.hexadecimal) == "d1dd210d6b1312cb342b56d02bd5e651")
        most.store(asked.load(ordering: .relaxed) + 1, ordering: .relaxed)
        #expect(content.md5 == nil && content.sha256 == nil)
        most.store(.max, ordering: .relaxed)
        #expect(content.sha256 == "bbd05cf6097ac9b1f89ea29d2542c1b7b67ee46848393895f5a9e43fa1f621e5")
    }

    /// libcurl before 8.10 signs lines in the order of all their characters, and stores want that of their names.
    @Test func `lines that would be signed in the wrong order are known before`() {
        let words = [
            "a", "a-b", "a-b-c", "ab", "b", "x-amz-meta-a", "x-amz-meta-a.b", "x-amz-meta-a1", "x-amz-meta-A-z",
        ]
        for first in words {
            for second in words where second != first {
                let lines = ["\(first): 1", "\(second): 2"].map { $0.lowercased() }
                let whole = lines.map { $0.replacing(": ", with: ":") }.sorted {
                    $0.utf8.lexicographicallyPrecedes($1.utf8)
                }
                let names = lines.map { String($0.prefix { $0 != ":" }) }
                    .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                let isMisplaced = whole.map { String($0.prefix { $0 != ":" }) } != names
                #expect((Message.misplaced(in: ["\(first): 1", "\(second): 2"]) != nil) == isMisplaced, "\(names)")
            }
        }
    }

    @Test func `a tag is used only if it can be kept and said`() {
        #expect(WrittenObject.isUsable(Array("\"a\"".utf8)) && !WrittenObject.isUsable([UInt8]()))
        #expect(!WrittenObject.isUsable([UInt8](repeating: 97, count: 2000)) && !WrittenObject.isUsable([97, 1]))
    }

    /// Each secret goes to the servers that it is for. A run that asks one kind gives them all lines: a gate before a
    /// store may want a cookie.
    @Test(arguments: [false, true], [false, true])
    func `a store and a server learn their own lines only`(asksBoth: Bool, isSigned: Bool) throws {
        let lines = [
            "Authorization: a", "COOKIE: a", "Proxy-Authorization: a", "X-Amz-Server-Side-Encryption-C: a", "X-T: a",
        ]
        var options = RemoteOptions()
        (options.headers, options.asksBothKinds) = (lines, asksBoth)
        // Loads libcurl, which signs.
        _ = try RemoteClient()
        let key = isSigned ? AccessKey(identifier: "a", secret: "b") : nil
        let value = { (name: String) in name == "AWS_ENDPOINT_URL" ? "https://store.example" : nil }
        let settings = try StoreSettings(isGiven: true, value, reading: { _ in nil })
        let location = try #require(RemoteLocation("s3://bucket/key"))
        let store = RemoteAddress(try ObjectStore(location, settings))
        let server = RemoteAddress(try #require(RemoteLocation("https://other.example/a")))
        func given(_ address: RemoteAddress, _ key: AccessKey?) throws -> [String] {
            try address.request(range: nil, Message(), options, key).lines.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try given(store, key) == (asksBoth ? Array(lines[3...]) : lines))
        #expect(try given(server, nil) == (asksBoth ? lines.filter { !$0.hasPrefix("X-Amz") } : lines))
    }

    @Test(arguments: ["If-None-Match: *", "content-md5: x", "x-amz-checksum-crc32c: x", "X-Amz-Meta-Sluice-Run: 1"])
    func `a line that an upload has itself can't be given`(line: String) throws {
        var options = RemoteOptions()
        options.headers = [line]
        let client = try RemoteClient(options: options)
        let location = try #require(RemoteLocation("s3://bucket/key"))
        #expect(throws: Failure.self) { try WrittenObject(location, client: client) }
    }

    @Test(arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar"])
    func `base 64 is that of RFC 4648`(text: String) {
        let coded = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE="]
        #expect(RequestContent.base64(Array(text.utf8)) == coded[text] ?? "Zm9vYmFy")
    }

    @Test(arguments: [
        ("x-amz-storage-class: X", true), ("X-Amz-Tagging: a=b", true), ("Content-Type: text/plain", true),
        ("Cache-Control: no-cache", true), ("x-amz-server-side-encryption: aws:kms", true),
        ("x-amz-server-side-encryption-aws-kms-key-id: 1", true), ("x-amz-meta-a: 1", true),
        ("x-amz-server-side-encryption-customer-key: 1", false), ("x-amz-request-payer: requester", false),
        ("x-amz-expected-bucket-owner: 1", false), ("Authorization: x", false),
    ])
    func `lines about the object go with the first request only`(line: String, isOfObject: Bool) {
        #expect(Message.isOfObject(line) == isOfObject)
        #expect(Message(headers: .withoutObject).takes(line) != isOfObject)
        #expect(Message().takes(line))
    }

    @Test func `tags of answers are found whatever surrounds them`() {
        let text = Array(
            "<?xml?><L xmlns=\"x\"><Part><ETag>&quot;a&amp;lt;&quot;</ETag></Part><Parts/><Part><ETag>b</ETag></Part></L>"
                .utf8)
        let tags = XMLText.sections("Part", in: text[...]).map { XMLText.text("ETag", in: $0) }
        #expect(tags == ["\"a&lt;\"", "b"])
        #expect(XMLText.text("None", in: text[...]) == nil)
        #expect(XMLText.text("L", in: text[...]) == nil)
        #expect(XMLText.sections("Part", in: Array("<Part".utf8)[...]).isEmpty)
    }
}
