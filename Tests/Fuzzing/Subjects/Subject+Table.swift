internal import Sluice
internal import ZstdCodec

extension Subject {
    /// A seek table is what it is written as, and a file has the size that is listed.
    package static let table = Subject("table") { bytes in
        try Array(bytes).withUnsafeBytes { bytes in
            if let table = SeekTable(bytes) {
                let again = table.encoded.withUnsafeBytes { SeekTable($0) }
                try promise(again == table, "written and read again it is another table")
                _ = FrameIndex(table)?.memory
            }
            _ = SeekTable.encodedSize(footer: UnsafeRawBufferPointer(rebasing: bytes.suffix(SeekTable.footerSize)))
            _ = StreamHeader(bytes)
        }
        let truth = Truth(of: bytes)
        guard !bytes.isEmpty, truth != .tooMuch else { return }
        let file = try MemoryFile(bytes)
        let source = try Source(file.descriptor)
        guard let listing = try? Listing(of: source), case .content(let content) = truth else { return }
        let size = listing.contentSize ?? UInt64(content.count)
        try promise(size == UInt64(content.count), "it lists \(size) of \(content.count) bytes")
    }
}
