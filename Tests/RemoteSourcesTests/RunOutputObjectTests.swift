import ByteStreams
import RemoteSinks
import SluiceEngine
import StreamTestSupport
import Synchronization
import Testing

@testable import RemoteSources
@testable import Sluice

/// An object as the output of a program's run.
@Suite(.timeLimit(.minutes(4)))
struct RunOutputObjectTests {
    private static let url = "s3://bucket/x.zst"
    private static let key = "/bucket/x.zst"

    private static func file(_ content: [UInt8], in folder: Scratch) throws -> FilePath {
        let path = folder.path.appending("plain")
        try content.withUnsafeBytes { bytes in
            let file = try FileDescriptor.open(path, .writeOnly, options: [.create], permissions: .ownerReadWrite)
            defer { try? file.close() }
            _ = try file.writeAll(bytes)
        }
        return path
    }

    @Test func `a program's run makes an object, and replaces none`() async throws {
        let store = try ScriptedStore()
        defer { store.close() }
        let folder = try Scratch()
        let path = try Self.file(sample(100_000), in: folder)
        let options = try store.options()
        let summary = try await Compression().run(
            from: .file(path), to: .object(Self.url, options: options))
        #expect(store.now.objects[Self.key]?.content.count == summary.bytesOut)
        await #expect(throws: Failure.self) {
            try await Compression().run(from: .file(path), to: .object(Self.url, options: options))
        }
        try await Compression().run(from: .file(path), to: .object(Self.url, isReplacing: true, options: options))
        for url in ["s3://bucket", "s3://bucket/", "http://host/x", "x.zst"] {
            await #expect(throws: Failure.self) {
                try await Compression().run(from: .file(path), to: .object(url, options: options))
            }
        }
        await #expect(throws: Failure.self) {
            try await Compression().run(from: .file(path), to: .object(Self.url, partSize: 1, options: options))
        }
        #expect(store.now.uploads.isEmpty)
    }

    /// Of a file of two tebibytes 10,000 parts of the usual sizes would not do.
    @Test func `the size of a file decides how large the parts are`() throws {
        let folder = try Scratch()
        let path = folder.path.appending("large")
        let file = try FileDescriptor.open(path, .readWrite, options: [.create], permissions: .ownerReadWrite)
        defer { try? file.close() }
        try file.resize(to: 2 << 40)
        let input = try FileIdentity(at: path)
        let size = RunOutput.expectedSize(of: input, by: Compression().operation)
        #expect(PartPlan(size).capacity > 2 << 40)
        #expect(RunOutput.expectedSize(of: input, by: Decompression().operation) == .unknown)
        #expect(RunOutput.expectedSize(of: try FileIdentity(at: folder.path), by: Compression().operation) == .unknown)
    }

    @Test func `a Task that is cancelled leaves nothing of an object`() async throws {
        let run = Mutex<Task<Void, any Error>?>(nil)
        let store = try ScriptedStore { kind, _ in
            if kind == .part { run.withLock { $0 }?.cancel() }
            return nil
        }
        defer { store.close() }
        let folder = try Scratch()
        let path = try Self.file((0..<12 << 20).map { _ in UInt8.random(in: 0...255) }, in: folder)
        let options = try store.options()
        let task = Task {
            _ = try await Compression().run(
                from: .file(path), to: .object(Self.url, partSize: 5 << 20, options: options))
        }
        run.withLock { $0 = task }
        await #expect(throws: Failure.cancelled) { try await task.value }
        #expect(store.now.objects.isEmpty && store.now.uploads.isEmpty)
    }
}
