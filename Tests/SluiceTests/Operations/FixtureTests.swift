import Glibc
import StreamTestSupport
import SystemPackage
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Files that other tools made, in Tests/CommandTests/Fixtures; its README.md says what they hold.
@Suite(.timeLimit(.minutes(4)))
struct FixtureTests {
    struct Fixture: CustomTestStringConvertible {
        var name: String
        var isReadable: Bool
        var size: UInt64
        var hash: String
        var testDescription: String { name }

        var path: FilePath { Self.folder.appending(name) }

        static let folder = FilePath("\(#filePath)").removingLastComponent()
            .appending("../../CommandTests/Fixtures").lexicallyNormalized()

        /// The rows of the table in README.md.
        static let all: [Fixture] = readText(folder.appending("README.md").string).split(separator: "\n").compactMap {
            line in
            let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }.map { String($0.prefix { $0 != " " }) }
            guard cells.count >= 5, cells[0].hasSuffix(".zst"), let size = UInt64(cells[cells.count - 2]) else {
                return nil
            }
            return Fixture(
                name: cells[0], isReadable: cells[cells.count - 3] == "yes", size: size, hash: cells[cells.count - 1])
        }

        static let readable = all.filter(\.isReadable)
    }

    @Test func `the page has all the fixtures`() {
        #expect(Fixture.all.count == 18)
        #expect(Fixture.readable.count == 15)
    }

    @Test(arguments: Fixture.readable, [1, 3])
    func `a fixture decodes to what its page says`(fixture: Fixture, threads: Int) async throws {
        let (summary, hash) = try await within {
            let source = try FileDescriptor.open(fixture.path, .readOnly, options: .closeOnExec)
            defer { try? source.close() }
            let sink = try NamelessFile()
            let summary = try Job.decompress(threads: threads).run(from: Source(source), to: Sink(sink.descriptor))
            return (summary, sha256(of: sink.descriptor))
        }
        #expect(summary.contentSize == fixture.size)
        #expect(summary.bytesOut == fixture.size)
        #expect(hash == fixture.hash)
    }

    @Test(arguments: Fixture.readable.filter { $0.size < 6_000_000 }, [[1000], [1, 70_000]])
    func `a fixture decodes from a pipe to the same`(fixture: Fixture, pieces: [Int]) async throws {
        let (outcome, hash) = try await within {
            let source = try FileDescriptor.open(fixture.path, .readOnly, options: .closeOnExec)
            defer { try? source.close() }
            var input = [UInt8](repeating: 0, count: 1 << 18)
            let count = try input.withUnsafeMutableBytes { try source.read(into: $0) }
            let outcome = try Job.decompress().outcomeThroughPipes(of: Array(input[..<count]), pieces: pieces)
            let output = try NamelessFile(outcome.bytes)
            return (outcome, sha256(of: output.descriptor))
        }
        #expect(outcome.failure == nil)
        #expect(outcome.summary.map { UInt64($0.contentSize) } == fixture.size)
        #expect(hash == fixture.hash)
    }

    @Test(arguments: [
        ("empty-file.zst", CodecFailure.empty), ("dictionary.raw", .notZstandard),
        ("window-2GiB.zst", .windowTooLarge(bytes: 1 << 31, limit: 1 << 27, offset: 0)),
    ])
    func `what can't be decoded is refused with its reason`(name: String, failure: CodecFailure) async throws {
        #expect(try await decompressed(name).0 == .codec(failure))
    }

    /// A dictionary without an identifier: nothing in the header says that it is needed.
    @Test func `a frame that needs an unnamed dictionary is corrupt`() async throws {
        let failure = Failure.codec(.corrupt(reason: "its data is damaged", offset: 0))
        #expect(try await decompressed("needs-dictionary.zst").0 == failure)
    }

    @Test func `zstd's own frame comes back with its unnamed dictionary`() async throws {
        let content = try FileDescriptor.open(Fixture.folder.appending("dictionary.raw"), .readOnly)
        defer { try? content.close() }
        let held = try HeapMemory(contentOf: Source(content), limit: UInt64(CompressionDictionary.sizeLimit))
        let dictionary = try held.withUnsafeBytes { try DecompressionDictionary($0.bytes) }
        let (failure, summary) = try await decompressed("needs-dictionary.zst", dictionary: dictionary)
        #expect(failure == nil)
        #expect(summary?.contentSize == 300_000)
    }

    @Test func `a large window is accepted on request`() async throws {
        let (failure, summary) = try await decompressed("window-2GiB.zst", windowLimit: 1 << 31)
        #expect(failure == nil)
        #expect(summary?.contentSize == 200_000)
    }

    private func decompressed(
        _ name: String, windowLimit: Int = 1 << 27, dictionary: DecompressionDictionary? = nil
    ) async throws -> (Failure?, Summary?) {
        try await within {
            let source = try FileDescriptor.open(Fixture.folder.appending(name), .readOnly, options: .closeOnExec)
            defer { try? source.close() }
            let operation = Decompression(dictionary: dictionary, windowLimit: windowLimit)
            return try Job(operation, threads: 2).finished(from: source, to: nil)
        }
    }
}

/// What sha256sum says of an open file.
private func sha256(of descriptor: FileDescriptor) -> String {
    guard let output = popen("sha256sum < /proc/\(getpid())/fd/\(descriptor.rawValue)", "r") else { return "" }
    defer { pclose(output) }
    var line = [CChar](repeating: 0, count: 65)
    guard fgets(&line, Int32(line.count), output) != nil else { return "" }
    return String(decoding: line.prefix(64).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
