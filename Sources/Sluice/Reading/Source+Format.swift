internal import Glibc

extension Source {
    /// The foreign format of a file according to its first bytes; nil if they belong to none.
    package var foreignFormat: ForeignFormat? {
        var magic = [UInt8](repeating: 0, count: ForeignFormat.magicSize)
        guard isFile, pread(descriptor.rawValue, &magic, magic.count, off_t(clamping: start)) == magic.count else {
            return nil
        }
        return ForeignFormat(magic: magic)
    }

    /// - Throws: `foreign` for a file in another known format, which has no frames that could be listed.
    func refuseForeign() throws(Failure) {
        if let format = foreignFormat { throw .foreign(format.isRead ? .notListed(format) : .notRead(format)) }
    }

    /// The window that a frame of a file asks for, in bytes; the largest number if no frame can be read there.
    func windowSize(ofFrameAt offset: UInt64) -> UInt64 {
        let count = Int(min(UInt64(FrameHeader.mostBytes), (size ?? 0) - min(size ?? 0, offset)))
        let start = try? bytes(at: offset, count: count)
        return start?.withUnsafeBytes { FrameHeader(ofFrame: $0) }?.windowSize ?? .max
    }
}
