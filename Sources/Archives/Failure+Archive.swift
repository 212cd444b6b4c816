public import ByteStreams

extension Failure.Code {
    /// The content is not a tar archive, or is a damaged one, or the requested operation is impossible for the archive.
    public static let archive = Failure.Code("archive")
}

extension Failure {
    package static let noArchive = Failure(.archive, "not a tar archive")

    /// - Parameter offset: the offset of the damage in the archive.
    package static func damagedArchive(_ reason: String, at offset: UInt64) -> Failure {
        Failure(.archive, damage(at: offset) + reason, offset: offset)
    }

    private static func damage(at offset: UInt64) -> String { "damaged tar archive at byte \(offset) of the content: " }

    /// Why an archive can't be parsed, and from which offset on; nil for other failures.
    package var archiveDamage: (reason: String, offset: UInt64)? {
        guard code == .archive, let offset = offset.map({ UInt64($0) }) else { return nil }
        let start = Self.damage(at: offset)
        return message.hasPrefix(start) ? (String(message.dropFirst(start.count)), offset) : nil
    }

    package static func cutArchive(at offset: UInt64) -> Failure {
        .damagedArchive("it ends within a member", at: offset)
    }

    package static func archive(_ sentence: String) -> Failure { Failure(.archive, sentence) }
}
