internal import SluiceEngine

/// The progress of a search for members.
struct MemberWalk: Sendable {
    /// Members that are looked for at a time.
    private static let most = 1000
    /// Bytes of the content to ask for at once: a header with those of small files after it.
    private static let step = 16 << 10

    private let index: ArchiveIndex?
    /// The block of the index that comes next.
    private var block = 0
    private var scanner = TarScanner()
    private(set) var isOver = false

    init(_ file: CompressedFile) throws(Failure) {
        index = try CompressedInput(file.content.source).archiveIndex()
        if let index, index.contentSize != UInt64(file.contentSize) { throw ArchiveIndex.damage }
    }

    /// Some of the next members; none at the end.
    mutating func next(of file: CompressedFile, _ latch: FailureLatch) throws(Failure) -> [ArchiveMember] {
        var members: [ArchiveMember] = []
        if let index {
            isOver = block == index.blockCount
            if isOver {
                try index.checkEnd()
            } else {
                try index.visit(blocks: block..<block + 1, latch: latch) { members.append($0) }
            }
            block += 1
            return members
        }
        while members.count < Self.most, !isOver {
            try latch.check()
            scanner.skip(Int(clamping: scanner.bytesToSkip))
            let offset = Int(clamping: scanner.offset)
            let bytes = scanner.isOver ? [] : try file.read(offset..<min(offset, .max - Self.step) + Self.step)
            isOver = bytes.isEmpty
            if isOver, !scanner.isOver, offset > file.contentSize { throw .cutArchive(at: UInt64(file.contentSize)) }
            if isOver { try scanner.finish() }
            var rest = bytes.span.bytes
            while let member = try scanner.next(in: &rest) { members.append(member) }
        }
        return members
    }
}
