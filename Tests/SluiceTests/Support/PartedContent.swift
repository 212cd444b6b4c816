import StreamTestSupport
import SystemPackage
import ZstdCodec

@testable import Sluice
@testable import SluiceEngine

/// The parts of a content, as so many machines would make them.
struct PartedContent {
    let content: [UInt8]
    var count = 3
    var options = CompressionOptions(level: 1, frameSize: 4096)
    var framing = Compression.Framing.independent

    /// The bytes of each part: its frames, and its trailer.
    func parts() throws -> [[UInt8]] {
        let source = try NamelessFile(content)
        return try shares.map { share in
            let sink = try NamelessFile()
            try source.descriptor.seek(offset: 0, from: .start)
            var compression = Compression(options)
            compression.framing = framing
            let job = Job(PartCompression(share, compression), threads: 2)
            let (failure, _) = try job.finished(from: source.descriptor, to: sink.descriptor)
            if let failure { throw failure }
            return try sink.content
        }
    }

    var shares: [PartNumber] { (1...count).compactMap { PartNumber($0, of: count) } }
}

extension Part {
    /// What is told of these bytes, in a file that is called so.
    init(_ bytes: [UInt8], named name: FilePath = "part") throws {
        let file = try NamelessFile(bytes)
        try self.init(of: Source(file.descriptor), named: name)
    }
}
