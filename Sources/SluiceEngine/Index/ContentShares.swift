/// The content of a compressed file, divided into shares of whole frames, as even as the frames allow.
///
/// The bytes of a share depend only on the file and on K/N, so that every machine finds them by itself.
package struct ContentShares: Sendable {
    /// Content of up to this many bytes may be a single frame: one share then has all of it.
    private static let smallContent: UInt64 = 8 << 20

    let index: FrameIndex

    /// Finds the frames, by a seek table or by headers.
    ///
    /// - Parameter mayBeOneFrame: whether it need not be divided.
    /// - Throws: `indivisible`, `sizeUnknown`, `reading`, `codec` if the file is not compressed.
    package init(
        of source: Source, verifiesChecksums: Bool = true, mayBeOneFrame: Bool = false
    ) throws(Failure) {
        let size = try source.knownSize()
        try CompressedInput(source).refuseForeign()
        if size == 0 { throw .codec(.empty) }
        guard
            let (index, _) = try FrameSearch(
                source: source, verifiesChecksums: verifiesChecksums
            ).index(reaching: nil)
        else {
            // Throws if the file is damaged or not compressed.
            var (walk, check) = (try FrameWalk(over: source), StreamEndCheck())
            while let frame = try walk.nextWhole() { try codec(check.note(frame)) }
            try codec(check.finish(at: walk.end))
            throw .indivisible(isSingleFrame: false)
        }
        self.index = index
        if mayBeOneFrame || index.contentSize <= Self.smallContent { return }
        if index.position(ofContent: 0) == index.position(ofContent: index.contentSize - 1) {
            throw .indivisible(isSingleFrame: true)
        }
    }

    /// Bytes of the content.
    package var size: UInt64 { index.contentSize }

    /// The bytes of the content that belong to a share.
    package func bytes(of share: PartNumber) -> Range<UInt64> { index.bytes(of: share) }

    /// How many of so many shares have content.
    package func filledShares(of count: Int) -> Int {
        (1...max(1, count)).count { number in
            PartNumber(number, of: count).map { !bytes(of: $0).isEmpty } ?? false
        }
    }
}

extension FrameIndex {
    /// The bytes of the content that belong to a share: whole frames.
    package func bytes(of share: PartNumber) -> Range<UInt64> {
        let even = share.range(of: contentSize)
        return nearestEnd(to: even.lowerBound)..<nearestEnd(to: even.upperBound)
    }

    /// The end of a frame that is nearest to an offset in the content.
    private func nearestEnd(to even: UInt64) -> UInt64 {
        guard let entry = position(ofContent: even) else { return contentSize }
        let content = self[entry].content
        return even - content.lowerBound <= content.upperBound - even ? content.lowerBound : content.upperBound
    }
}
