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
        to store: ScriptedStore, partSize: Int = partSize, isReplacing: Bool = false, asksAnyway: Bool = false,
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
                    case .refused, .missing: kind != .look
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

    @Test(arguments: [0, 300_000])
    func `of an object that is one request is told how much was sent`(count: Int) async throws {
        let store = try ScriptedStore()
        defer { store.close() }
        let amounts = Mutex<[Int]>([])
        try await within {
            let upload = try Self.begin(to: store, partSize: 1 << 20)
            defer { upload.abandon() }
            try upload.write(Piece(Bytes(sample(count)[...])))
            try upload.end(after: 0, of: UInt64(count))
            #expect(amounts.withLock { $0.isEmpty })
            try upload.complete { sent, all in
                #expect(all == count)
                amounts.withLock { $0.append(sent) }
            }
        }
        let told = amounts.withLock { $0 }
        #expect(count == 0 || told.last == count && told.contains { 1..<count ~= $0 }, "\(told)")
        #expect(told == told.sorted())
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
        // Nothing could be ended any more.
        case .last: false
        default: true
        }
    }
}
