import ByteStreams
import SystemPackage
import TestSupport
import Testing

@testable import SluiceEngine

/// What has no data on the disk becomes the same frames as zeros that are read.
@Suite(.timeLimit(.minutes(4))) struct SparseSourceTests {
    /// Holes at either end, of whole chunks and of parts of them, and nothing but a hole.
    @Test(arguments: [[], [0], [3 << 20, 5 << 20], [(12 << 20) + 17]])
    func `a sparse file becomes the frames that a file of zeros becomes`(offsets: [Int]) async throws {
        let outputs = try await within {
            let (descriptor, content) = try sparseFile((12 << 20) + 12_345, dataAt: offsets)
            defer { try? descriptor.close() }
            try descriptor.seek(offset: 0, from: .start)
            let sink = try NamelessFile()
            _ = try Job.compress().run(from: Source(descriptor), to: Sink(sink.descriptor))
            return (try sink.content, try Job.compress().output(of: content))
        }
        #expect(outputs.0.isSame(as: outputs.1))
    }
}
