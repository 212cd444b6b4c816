internal import Sluice
internal import SluiceEngine

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

    /// A range of all the content, and a member, have the verdict of the whole, which libzstd gives.
    ///
    /// - Parameter place: where the member's bytes are.
    package static func examineParts(of bytes: [UInt8], member name: String, at place: Range<Int>) throws {
        let truth = Truth(of: bytes)
        let file = try MemoryFile(bytes)
        let sink = try MemoryFile()
        let range = try? CompressedFile(file.descriptor, options: .init(threads: 2)).read(0..<mostContent)
        let selection = MemberSelection([MemberPattern(Array(name.utf8))], asArchive: false)
        let job = Job(MemberExtraction(selection), threads: 2)
        let isWritten = (try? job.run(from: Source(file.descriptor), to: Sink(sink.descriptor))) != nil
        switch truth {
        case .content(let content):
            try promise(range == content, "of \(content.count) bytes a range has \(range?.count ?? -1), or others")
            let isRight = try sink.content[...] == content[place]
            try promise(isWritten && isRight, "a member is refused, or has others of \(content.count) bytes")
        case .refused(let why, _):
            try promise(range == nil, "a range of what is refused is read: \(why)")
            try promise(!isWritten, "a member of what is refused is written: \(why)")
        case .tooMuch: break
        }
    }
}
