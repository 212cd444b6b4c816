package import ZstdCodec

/// The content of a compressed file, shared out among several who decompress it: whole frames each, by a seek table or
/// by headers, so that shares are as even as the frames let them be.
///
/// Which bytes a share has, depends on the file and on K/N alone: every machine comes to the same result by itself.
package struct SharedContent: Sendable {
    /// What is smaller may be one frame, in bytes: then one has it all, and the others nothing.
    private static let smallContent: UInt64 = 1 << 20

    let index: FrameIndex
    private let origin: PartCard.Origin

    /// Looks where the frames lie.
    ///
    /// - Throws: `indivisible`, `sizeUnknown`, `reading`, `codec` for what is not compressed.
    package init(of source: Source) throws(Failure) {
        let size = try source.knownSize()
        if let format = source.foreignFormat { throw .foreign(format.isRead ? .notListed(format) : .notRead(format)) }
        if size == 0 { throw .codec(.empty) }
        origin = try source.origin()
        guard let (index, _) = try FrameSearch(source: source).index(reaching: nil) else {
            // What is no frame, or damaged, is told by its headers.
            _ = try HeaderWalk.run(over: source) { _ throws(Failure) in }
            throw .indivisible(isSingleFrame: false)
        }
        self.index = index
        let last = index.contentSize - min(1, index.contentSize)
        if index.contentSize > Self.smallContent, index.position(of: 0) == index.position(of: last) {
            throw .indivisible(isSingleFrame: true)
        }
    }

    /// Bytes of the content.
    package var size: UInt64 { index.contentSize }

    /// What is shared out, in one line: the source by its size, its time and its ends, and where its frames lie.
    package var description: String {
        let checksums = origin.checksums.map { String($0, radix: 16) }
        return "\(origin.size) bytes of \(origin.seconds).\(origin.nanoseconds), \(checksums.joined(separator: " ")), "
            + "frames \(String(index.digest, radix: 16)) of \(size) bytes"
    }

    /// Those bytes of the content that belong to a share.
    package func place(of share: ContentShare) -> Range<UInt64> {
        bound(share.number - 1, of: share.count)..<bound(share.number, of: share.count)
    }

    /// The end of a frame that is nearest to so many of `count` equal parts of the content.
    private func bound(_ parts: Int, of count: Int) -> UInt64 {
        let even = UInt64(count).dividingFullWidth(size.multipliedFullWidth(by: UInt64(parts))).quotient
        guard let entry = index.position(of: even) else { return size }
        let content = index[entry].content
        return even - content.lowerBound <= content.upperBound - even ? content.lowerBound : content.upperBound
    }
}
