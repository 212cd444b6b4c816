/// Finds the members of an archive that zstd:chunked has compressed for containers: the last skippable frame says where
/// another one keeps all bytes of the archive but the content of files (tar-split).
///
/// The table of contents beside it has no places in the archive, and no names of owners.
struct TarSplitSearch {
    /// The frame that ends such a file: eight numbers of eight bytes.
    private static let footerSize = 8 + 64
    private static let magic = Array("GNUlInUx".utf8)
    /// The most bytes of tar-split, which are some 1200 for each file.
    private static let mostBytes = 128 << 20

    let source: Source

    /// - Returns: nil if there is no such frame, or it makes no sense: then everything has to be decoded.
    func find() throws(Failure) -> ArchiveFinding.Outcome? {
        guard let (compressed, size) = try tarSplit(),
            let text = try? Decompression().decompress(compressed.span.bytes, limit: Self.mostBytes),
            text.count == size, let members = try? Self.index(of: text)
        else { return nil }
        return ArchiveFinding.Outcome(members: members, finding: .none)
    }

    /// The frame of tar-split, and the bytes of its content.
    private func tarSplit() throws(Failure) -> (frame: [UInt8], contentSize: UInt64)? {
        guard let size = source.size, size > UInt64(Self.footerSize) else { return nil }
        let place = size - UInt64(Self.footerSize)
        guard let footer = try source.bytes(at: place, count: Self.footerSize),
            footer.prefix(8) == [0x50, 0x2A, 0x4D, 0x18, 64, 0, 0, 0], footer.suffix(8).elementsEqual(Self.magic)
        else { return nil }
        let numbers = stride(from: 8, to: Self.footerSize, by: 8).map {
            UInt64(littleEndianBytes: footer[$0..<$0 + 8])
        }
        let (offset, count) = (numbers[4], numbers[5])
        guard offset <= place, count <= place - offset, count <= UInt64(Self.mostBytes) else { return nil }
        return try source.bytes(at: offset, count: Int(count)).map { ($0, numbers[6]) }
    }

    /// - Throws: `archive` if it is no archive, or cut.
    private static func index(of text: [UInt8]) throws(Failure) -> ArchiveIndex? {
        var (scanner, writer) = (TarScanner(), ArchiveIndexWriter())
        var fits = true
        let isWhole = try TarSplit.read(text) { entry throws(Failure) in
            switch entry {
            case .content(let count):
                fits = fits && count <= scanner.bytesToSkip
                scanner.skip(Int(clamping: min(count, scanner.bytesToSkip)))
            case .bytes(let bytes):
                try bytes.span.bytes.withUnsafeBytes { bytes throws(Failure) in
                    var rest = bytes
                    while let member = try scanner.next(in: &rest) { try writer.append(member) }
                }
            }
        }
        guard isWhole, fits else { return nil }
        try scanner.finish()
        return ArchiveIndex(try writer.finish(contentSize: scanner.offset))
    }
}
