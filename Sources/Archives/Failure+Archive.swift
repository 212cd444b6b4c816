public import ByteStreams

extension Failure.Code {
    /// A content is no tar archive or a damaged one, or what is asked of an archive can't be done.
    public static let archive = Failure.Code("archive")
}

extension Failure {
    package static let noArchive = Failure(.archive, "not a tar archive")

    /// - Parameter offset: the byte of the archive where it happened.
    package static func damagedArchive(_ reason: String, at offset: UInt64) -> Failure {
        Failure(.archive, damage(at: offset) + reason, offset: offset)
    }

    private static func damage(at offset: UInt64) -> String { "damaged tar archive at byte \(offset) of the content: " }

    /// Why an archive can't be followed, and from which byte on; nil for other failures.
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
