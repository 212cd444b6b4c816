internal import Sluice
internal import SluiceEngine

extension Subject {
    /// Whatever an earlier run left of an output, the next one makes the same of it as of nothing, or says no.
    package static let resumption = Subject("resumption") { input in
        var bytes = input
        let (way, count) = (bytes.takeNumber(UInt8.self), Int(bytes.takeNumber(UInt16.self)))
        let (kept, source) = (bytes.take(count), Array(bytes))
        let decompresses = way & 1 == 0
        if decompresses, Truth(of: source) == .tooMuch { return }
        let operation: any RunOperation =
            decompresses ? Decompression() : Compression(level: 1, frameSize: 1024)
        let fresh = try output(of: operation, from: source, onto: [], .ofAnySource)
        let resumption = way & 2 == 0 ? Sink.Resumption.ofAnySource : .ofSameSource
        let resumed = try output(of: operation, from: source, onto: kept, resumption)
        if resumed.failure == fresh.failure {
            if fresh.failure != nil || resumed.bytes == fresh.bytes { return }
            // Of frames that nobody has made here only the content is known, and that it is proved as that of all.
            let truth = Truth(of: resumed.bytes)
            try promise(!decompresses && truth == .content(source), "what is gone on with is another")
            let file = try MemoryFile(resumed.bytes)
            let listing = try? Listing(of: Source(file.descriptor))
            try promise(listing?.hasChecksums == true, "a frame that is gone on with has no checksum")
        } else if resumed.failure?.code == .otherSource {
            try promise(way & 2 != 0, "what may be replaced is not")
        } else {
            throw BrokenPromise(description: "\(String(describing: resumed)) in place of \(String(describing: fresh))")
        }
    }

    private static func output(
        of operation: any RunOperation, from source: [UInt8], onto kept: [UInt8], _ resumption: Sink.Resumption
    ) throws -> (bytes: [UInt8], failure: Failure?) {
        let file = try MemoryFile(source)
        let sink = try MemoryFile(kept)
        do throws(Failure) {
            let target = try Sink(sink.descriptor, resumption: resumption)
            _ = try Job(operation, threads: 2).run(from: Source(file.descriptor), to: target)
        } catch {
            return ([], error)
        }
        return (try sink.content, nil)
    }
}
