internal import Sluice

extension Subject {
    /// A part of a content is that part of what libzstd makes of the whole, whatever tables say where it is.
    package static let access = Subject("access") { input in
        var bytes = input
        let (place, count) = (UInt64(bytes.takeNumber(UInt32.self)), Int(bytes.takeNumber(UInt16.self)))
        // Mostly where something is, and else far away.
        let offset = place < 1 << 31 ? place % 300_000 : place << 32
        let truth = Truth(of: bytes)
        if truth == .tooMuch { return }
        let file = try MemoryFile(bytes)
        // What is refused is refused when it is opened, or read.
        guard let compressed = try? CompressedFile(file.descriptor, options: .init(threads: 2)) else { return }
        for place in [offset, 0] {
            let first = Int(clamping: place)
            guard let part = try? compressed.read(first..<max(first, first &+ count)) else { continue }
            guard case .content(let content) = truth else { continue }
            let wanted = content.dropFirst(Int(clamping: place)).prefix(count)
            try promise(part[...] == wanted, "\(part.count) bytes at \(place) are others")
            try promise(compressed.contentSize == content.count, "it has \(compressed.contentSize) bytes")
        }
        let sink = try MemoryFile()
        let job = Job(Extraction([.last(count), ContentRange(.offset(offset), count: 99)]), threads: 2)
        guard (try? job.run(from: Source(file.descriptor), to: Sink(sink.descriptor))) != nil,
            case .content(let content) = truth
        else { return }
        let wanted = Array(content.suffix(count) + content.dropFirst(Int(clamping: offset)).prefix(99))
        try promise(try sink.content == wanted, "its last \(count) bytes, and 99 from \(offset) on, are others")
    }
}
