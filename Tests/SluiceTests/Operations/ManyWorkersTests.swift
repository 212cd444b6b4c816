import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Work on threads beyond those of Dispatch, whose pools end at the number of processors, or at 255.
@Suite(.timeLimit(.minutes(4))) struct ManyWorkersTests {
    @Test func `a run has more workers than Dispatch has threads`() async throws {
        let content = patchwork(700 << 12, seed: 3)
        let options = CompressionOptions(level: 1, frameSize: 1 << 12)
        let returned = try await within {
            let compressed = try Job(Compression(options), threads: 300).output(of: content)
            return try Job(Decompression(), threads: 300).output(of: compressed)
        }
        #expect(returned.isSame(as: content))
    }
}
