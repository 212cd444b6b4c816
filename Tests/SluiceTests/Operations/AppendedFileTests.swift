import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// What is added to a compressed file stands behind what was there, and one table tells of all.
@Suite(.timeLimit(.minutes(4)))
struct AppendedFileTests {
    static let options = CompressionOptions(level: 1, frameSize: 4096)
    static let compression = Compression(options)
    static let content = sample(40_000)

    /// What a file becomes to which contents are added, and why it does not.
    private static func grow(_ existing: [UInt8]?, by contents: [[UInt8]]) throws -> (bytes: [UInt8], failure: Failure?)
    {
        let scratch = try Scratch()
        let output = try NamelessFile()
        let file = try existing.map { try FileDescriptor.open(scratch.write($0, to: "file"), .readOnly) }
        do {
            let growing = try AppendedFile(file, named: "file", addingWith: options)
            let sink = try Sink(output.descriptor)
            try growing.begin(on: sink, latch: FailureLatch())
            for content in contents {
                let source = try NamelessFile(content)
                _ = try Job(growing.adding(compression), threads: 2).run(
                    from: Source(source.descriptor), to: Sink(output.descriptor))
            }
            try growing.finish(on: sink)
            return (try output.content, nil)
        } catch let failure as Failure {
            return (try output.content, failure)
        }
    }

    @Test(arguments: [nil, 0, 4096, 5000, 20_000], [[], [1], [10_000, 30_000]])
    func `what is added stands behind what was there`(existing: Int?, added: [Int]) async throws {
        let contents = added.map { sample($0, seed: UInt64($0)) }
        let (file, grown, content) = try await within {
            let file = try existing.map { try Job(Self.compression).output(of: Array(Self.content[..<$0])) }
            let grown = try Self.grow(file, by: contents)
            return (file, grown, try Job.decompress().outcome(of: grown.bytes))
        }
        #expect(grown.failure == nil)
        if existing == nil, added.isEmpty { return }
        #expect(content.failure == nil)
        #expect(content.bytes.isSame(as: Array(Self.content[..<(existing ?? 0)]) + contents.flatMap(\.self)))
        // The first frame stays as it is, with what follows it of a stream.
        #expect(grown.bytes.starts(with: file?.prefix(30) ?? []))
    }

    @Test func `frames of others are added to, and have checksums in the table only if all of them have`() async throws
    {
        let contents = try await within {
            let others = try [
                frame(sample(5000)), frame(sample(100)) + frame([]) + frame(sample(3000)),
                frame(sample(5000), CompressionOptions(level: 1, hasChecksum: false)),
                [0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 7, 7] + frame(sample(50)),
            ]
            return try others.map { other in
                let grown = try Self.grow(other, by: [sample(9000, seed: 5)])
                if let failure = grown.failure { throw failure }
                let before = try Job.decompress().output(of: other)
                return try Job.decompress().output(of: grown.bytes).isSame(as: before + sample(9000, seed: 5))
            }
        }
        #expect(contents == [true, true, true, true])
    }

    @Test func `what is no whole file of frames is refused, and nothing is written`() async throws {
        let outcomes = try await within {
            let stream = try Job(Self.compression).output(of: Self.content)
            var sizeless = CompressionOptions(level: 1)
            sizeless.hasContentSize = false
            let single = try Job(SingleFrame(sizeless)).output(of: sample(100_000))
            return try [
                stream.dropLast(), stream + stream, single, member(sample(100), in: .gzip), [1, 2, 3, 4, 5],
                stream + [0], frame([1]) + stream,
            ].map { try Self.grow($0, by: [[1]]) }
        }
        for outcome in outcomes {
            #expect(outcome.failure != nil)
            #expect(outcome.bytes == [])
        }
        #expect(outcomes[2].failure == .unlisted(offset: 0))
        #expect(outcomes[1].failure?.code == .severalStreams)
        // The table of all would contradict the header in the middle.
        #expect(outcomes[6].failure?.code == .severalStreams)
    }

    @Test func `two do not add to a file at once`() async throws {
        let failures = try await within {
            let scratch = try Scratch()
            let path = try scratch.write(Job(Self.compression).output(of: Self.content), to: "file")
            let add = { () throws -> AppendedFile in
                try AppendedFile(FileDescriptor.open(path, .readOnly), named: "file", addingWith: Self.options)
            }
            var first: AppendedFile? = try add()
            let second = Result { _ = try add() }
            let isThere = first?.source != nil
            first = nil
            _ = try add()
            return (isThere, second)
        }
        #expect(failures.0)
        #expect(throws: Failure.isBeingMade("file")) { try failures.1.get() }
    }

    @Test func `a file that another program writes meanwhile is told, and does not give its name`() async throws {
        let (failure, before, after, none) = try await within {
            let scratch = try Scratch()
            let path = try scratch.write(Job(Self.compression).output(of: Self.content), to: "file")
            let file = try FileDescriptor.open(path, .readWrite)
            let identity = try FileIdentity(file)
            let growing = try AppendedFile(file, named: "file", addingWith: Self.options)
            let before = growing.mayReplace(identity)
            pause(0.02)
            _ = try file.writeAll(toAbsoluteOffset: 100, [0])
            let output = try NamelessFile()
            let after = growing.mayReplace(try FileIdentity(file))
            do throws(Failure) {
                try growing.begin(on: Sink(output.descriptor), latch: FailureLatch())
            } catch {
                return (Optional(error), before, after, growing.mayReplace(nil))
            }
            return (nil, before, after, growing.mayReplace(nil))
        }
        #expect(failure == .sourceChanged)
        #expect([before, after, none] == [true, false, false])
    }

    @Test func `one that is not there yet is begun, and takes no name of a file that has come meanwhile`() throws {
        let growing = try AppendedFile(nil, named: "file", addingWith: Self.options)
        let other = try NamelessFile()
        #expect(growing.mayReplace(nil))
        #expect(!growing.mayReplace(try FileIdentity(other.descriptor)))
    }
}
