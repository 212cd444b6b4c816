import Dispatch
import Glibc
import StreamTestSupport
import SystemPackage
import Testing

@testable import ByteStreams

/// What holds for every origin, whoever reads it.
@Suite(.timeLimit(.minutes(4)))
struct ByteSourceTests {
    enum Origin: CaseIterable {
        case dispatchFile, callsOnFile, dispatchPipe, callsOnPipe

        /// Opens some content as this origin, for the length of a body.
        func with<Success>(_ content: [UInt8], _ body: (any ByteSource) throws -> Success) throws -> Success {
            let file = try NamelessFile(content)
            let pipe = try Pipe()
            defer { pipe.close() }
            switch self {
            case .dispatchFile: return try body(ChannelSource(Source(file.descriptor)))
            case .callsOnFile: return try body(DescriptorSource(Source(file.descriptor)))
            case .dispatchPipe:
                pipe.feed(content, pieces: [1, 5000, 70_000])
                return try body(ChannelSource(Source(pipe.reading)))
            case .callsOnPipe:
                pipe.feed(content, pieces: [1, 5000, 70_000])
                return try body(DescriptorSource(Source(pipe.reading)))
            }
        }
    }

    @Test(arguments: Origin.allCases)
    func `all bytes come, in order and no more at once than were asked for, and then the end`(_ origin: Origin)
        async throws
    {
        let content = sample(1_500_000)
        let (isSame, isBounded, end) = try await within {
            try origin.with(content) { source in
                var (bytes, isBounded, turn) = ([UInt8](), true, 0)
                while let part = try source.read([1, 4096, 1 << 20][turn % 3], until: nil) {
                    isBounded = isBounded && part.count <= [1, 4096, 1 << 20][turn % 3]
                    bytes += part.elements
                    turn += 1
                }
                let end = try source.read(10, until: nil)?.count
                source.finish()
                return (bytes.isSame(as: content), isBounded, end)
            }
        }
        #expect(isSame)
        #expect(isBounded)
        #expect(end == nil)
    }

    @Test(arguments: [Origin.dispatchFile, .callsOnFile])
    func `a file is read at any place, and stands behind what was read last`(_ origin: Origin) async throws {
        let content = sample(300_000)
        let (parts, place) = try await within {
            let file = try NamelessFile(content)
            let source = try Source(file.descriptor)
            let bytes: any ByteSource =
                origin == .dispatchFile ? try ChannelSource(source) : try DescriptorSource(source)
            let parts = try [200_000, 0, 299_990].map { offset in
                #expect(bytes.seek(to: UInt64(offset)))
                return try bytes.read(1000, until: nil)?.elements ?? []
            }
            bytes.finish()
            return (parts, try file.descriptor.seek(offset: 0, from: .current))
        }
        #expect(parts.map(\.count) == [1000, 1000, 10])
        #expect(parts[0].isSame(as: Array(content[200_000..<201_000])))
        #expect(parts[1].isSame(as: Array(content[..<1000])))
        #expect(place == 300_000)
    }

    @Test(arguments: [Origin.dispatchPipe, .callsOnPipe])
    func `a pipe is read in order only, and gives none when the deadline comes or the waiting ends`(_ origin: Origin)
        async throws
    {
        let (canSeek, late, ended) = try await within {
            let pipe = try Pipe()
            defer { pipe.close() }
            let source: any ByteSource =
                origin == .dispatchPipe
                ? try ChannelSource(Source(pipe.reading)) : try DescriptorSource(Source(pipe.reading))
            let late = try source.read(10, until: .now() + 0.02)?.count
            DispatchQueue(label: "test.end").asyncAfter(deadline: .now() + 0.05) { source.endWaiting() }
            let ended = try source.read(10, until: nil)?.count
            let canSeek = source.seek(to: 0)
            source.finish()
            return (canSeek, late, ended)
        }
        #expect(!canSeek)
        #expect(late == 0)
        #expect(ended == 0)
    }

    /// A file without a size, such as one of /proc, or a tape: after its end, more may follow that is not of it.
    @Test func `an end that comes with the last bytes is not asked for again`() async throws {
        let (bytes, next) = try await within {
            let file = try NamelessFile()
            let source = try ChannelSource(Source(file.descriptor))
            _ = try file.descriptor.writeAll(toAbsoluteOffset: 0, [1, 2, 3])
            let bytes = try source.read(1 << 20, until: nil)?.elements
            _ = try file.descriptor.writeAll(toAbsoluteOffset: 3, [4, 5, 6])
            let next = try source.read(1 << 20, until: nil)?.elements
            source.finish()
            return (bytes, next)
        }
        #expect(bytes == [1, 2, 3])
        #expect(next == nil)
    }

    @Test func `a pipe that wakes is closed on exec, and does not wait`() throws {
        let ends = try ownPipe()
        for end in [ends.reader, ends.writer] {
            #expect(fcntl(end, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(end, F_GETFL) & O_NONBLOCK != 0)
            close(end)
        }
    }
}
