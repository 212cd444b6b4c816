import FoundationEssentials
import Sluice

extension Compression {
    /// The frames of data. Nothing is copied.
    func compress(_ content: Data) throws -> Data {
        var frames = Data(count: Compression.bound(of: content.count))
        let count = try frames.withUnsafeMutableBytes { memory in
            var output = OutputRawSpan(buffer: memory, initializedCount: 0)
            try compress(content.bytes, into: &output)
            return output.finalize(for: memory)
        }
        return frames.prefix(count)
    }
}
