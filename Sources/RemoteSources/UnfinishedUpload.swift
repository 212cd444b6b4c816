package import ByteStreams

/// What a store says of the parts of an upload that an earlier run has begun. It decides only what is sent again: a
/// part is kept if all that is said of its bytes goes with those of this run.
package struct UnfinishedUpload: Sendable {
    private struct Listed: Sendable {
        let size: Int
        let tag: [UInt8]
        let checksum: String?
    }

    private var listed: [Int: Listed] = [:]

    package init() {}

    /// How many parts there are, and their bytes.
    package var amount: (parts: Int, bytes: Int) {
        (listed.count, listed.values.reduce(0) { $0.addingReportingOverflow($1.size).partialValue })
    }

    /// The part that the store has, if it has the same bytes: by the checksum, and by the tag where that is their MD5.
    /// A checksum alone is no proof: it is easy to make other bytes that have it.
    package func part(
        _ number: Int, with content: RequestContent, of upload: WrittenObject.Parts
    ) -> WrittenObject.Part? {
        guard let part = listed[number], part.size == content.count else { return nil }
        let isListed = part.checksum != nil
        let checksum = upload.hasChecksums || isListed ? RequestContent.base64(content.crc32c) : nil
        if isListed, part.checksum != checksum { return nil }
        let md5 = upload.areTagsHashes ? Self.md5(ofTag: part.tag) : nil
        if let md5, md5 != content.md5 { return nil }
        guard isListed || md5 != nil else { return nil }
        return WrittenObject.Part(
            number: number, tag: part.tag, checksum: upload.hasChecksums ? checksum : nil, attempts: 0)
    }

    /// The MD5 that a tag is; nil for another tag.
    static func md5(ofTag tag: [UInt8]) -> [UInt8]? {
        let digits = tag.filter { $0 != UInt8(ascii: "\"") }
        guard digits.count == 32, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        let bytes = (0..<16).map { UInt8(String(decoding: digits[2 * $0..<2 * $0 + 2], as: UTF8.self), radix: 16) }
        return bytes.contains(nil) ? nil : bytes.compactMap(\.self)
    }

    /// The most parts of an upload.
    private static let mostParts = 10_000
    /// The most bytes of a part.
    private static let mostBytes = 5 << 30

    /// Adds the parts of a list, as far as they can be parts.
    ///
    /// - Returns: the number after which the next list begins; nil for the last one.
    mutating func add(_ answer: [UInt8]) -> Int? {
        for part in XMLText.sections("Part", in: answer[...]) {
            guard let number = XMLText.text("PartNumber", in: part).flatMap({ Int($0) }),
                let size = XMLText.text("Size", in: part).flatMap({ Int($0) }),
                let tag = XMLText.text("ETag", in: part),
                1...Self.mostParts ~= number, 0...Self.mostBytes ~= size, WrittenObject.isUsable(tag.utf8)
            else { continue }
            listed[number] = Listed(
                size: size, tag: Array(tag.utf8), checksum: XMLText.text("ChecksumCRC32C", in: part))
        }
        guard XMLText.text("IsTruncated", in: answer[...]) == "true" else { return nil }
        return XMLText.text("NextPartNumberMarker", in: answer[...]).flatMap { Int($0) }
            .flatMap { 1..<Self.mostParts ~= $0 ? $0 : nil }
    }
}

extension WrittenObject {
    /// What an upload comes to that an earlier run has begun.
    package enum Earlier: Sendable {
        /// It can go on.
        case there(UnfinishedUpload)
        /// Somebody has ended it, or a rule of the store, or it has been completed.
        case gone
    }

    /// Asks for the parts of an upload. To whoever may not ask, it has none.
    ///
    /// - Throws: `remote`.
    package func find(_ parts: Parts) throws(Failure) -> Earlier {
        var (upload, marker) = (UnfinishedUpload(), 0)
        // Each list begins behind the one before, however short a store makes them.
        for _ in 0..<Self.mostLists {
            let query =
                "?max-parts=1000&part-number-marker=\(marker)"
                + "&uploadId=\(parts.identifier.percentEncoded(keeping: ""))"
            let (header, answer) = try ask(Message(query: query, headers: .withoutObject))
            if [403, 405, 501].contains(header.status) { break }
            guard 200..<300 ~= header.status else {
                let refusal = refusal(header)
                // Any other 404 may be that of a gate, or of a store that has just begun to answer.
                if refusal == .uploadIsGone { return .gone }
                throw refusal
            }
            guard let next = upload.add(answer), next > marker else { break }
            marker = next
        }
        return .there(upload)
    }

    private static let mostLists = 1000

    /// Texts by which a later run knows whether it would write the same: of the server, and of all that the object is
    /// made by, so that no secret is kept. Nil if nothing computes them.
    ///
    /// - Parameter recipe: what the bytes are made by.
    package func fingerprints(_ recipe: String) throws(Failure) -> (server: String, recipe: String)? {
        let lines = client.options.headers.filter { Message.isOfObject($0) || Message.isOfStore($0) }
        let server = try client.address(of: location, isWritten: true).server
        let all = [server, location.url, recipe] + linesOfType + lines
        guard let server = try RequestContent(Array(server.utf8)).sha256,
            let all = try RequestContent(Array(all.joined(separator: "\n").utf8)).sha256
        else { return nil }
        return (server, all)
    }
}
