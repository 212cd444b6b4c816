import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

@Suite(.timeLimit(.minutes(4)))
struct HeapMemoryTests {
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000])
    func `a file is held as it is, and so is a pipe`(count: Int) async throws {
        let content = sample(count)
        let held = try await within {
            let file = try NamelessFile(content)
            let pipe = try Pipe()
            defer { pipe.close() }
            pipe.feed(content, pieces: [1000])
            return [
                try HeapMemory(contentOf: Source(file.descriptor), limit: UInt64(count)),
                try HeapMemory(contentOf: Source(pipe.reading), limit: .max),
            ]
        }
        for one in held { #expect(one.withUnsafeBytes(Array.init).isSame(as: content)) }
    }

    @Test(arguments: [0, 1, 70_000, 99_999])
    func `what is larger than it may be is refused, and read no further than that`(limit: UInt64) async throws {
        try await within {
            let file = try NamelessFile(sample(100_000))
            let pipe = try Pipe()
            defer { pipe.close() }
            pipe.feed(sample(100_000))
            for descriptor in [file.descriptor, pipe.reading] {
                #expect(throws: Failure.tooLargeToHold(limit: limit)) {
                    try HeapMemory(contentOf: Source(descriptor), limit: limit)
                }
            }
        }
    }

    @Test func `a file that shrinks is not taken for a whole one`() throws {
        let file = try NamelessFile(sample(1000))
        let source = try Source(file.descriptor)
        try file.descriptor.resize(to: 500)
        #expect(throws: Failure.sourceShrank(expected: 1000, read: 500)) {
            try HeapMemory(contentOf: source, limit: 5000)
        }
    }
}
