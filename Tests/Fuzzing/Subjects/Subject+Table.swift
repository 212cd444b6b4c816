internal import Sluice
internal import SluiceEngine
internal import ZstdCodec

extension Subject {
    /// A seek table is what it is written as, and a file has the size that is listed.
    package static let table = Subject("table") { bytes in
        let copy = Array(bytes)
        let span = copy.span.bytes
        if let table = SeekTable(span) {
            let again = SeekTable(table.encoded.span.bytes)
            try promise(again == table, "written and read again it is another table")
            _ = FrameIndex(table)?.memory
        }
        _ = SeekTable.encodedSize(footer: span.extracting(last: SeekTable.footerSize))
        _ = StreamHeader(span)
        let truth = Truth(of: bytes)
        guard !bytes.isEmpty, truth != .tooMuch else { return }
        let file = try MemoryFile(bytes)
        let source = try Source(file.descriptor)
        guard let listing = try? Listing(of: source), case .content(let content) = truth else { return }
        let size = listing.contentSize ?? UInt64(content.count)
        try promise(size == UInt64(content.count), "it lists \(size) of \(content.count) bytes")
    }
}
