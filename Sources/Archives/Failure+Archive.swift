public import ByteStreams

extension Failure.Code {
    /// The content is not a tar archive, or is a damaged one, or the requested operation is impossible for the archive.
    public static let archive = Failure.Code("archive")
}

extension Failure {
    package static let noArchive = Failure(.archive, "not a tar archive")

    /// - Parameter offset: the offset of the damage in the archive.
    package static func damagedArchive(_ reason: String, at offset: UInt64) -> Failure {
        let damage = ArchiveDamage(reason: reason, offset: offset)
        let message = "damaged tar archive at byte \(offset) of the content: \(reason)"
        return Failure(.archive, message, offset: offset, cause: damage)
    }

    package var archiveDamage: ArchiveDamage? { cause as? ArchiveDamage }

    package static func cutArchive(at offset: UInt64) -> Failure {
        .damagedArchive("it ends within a member", at: offset)
    }

    package static func archive(_ sentence: String) -> Failure { Failure(.archive, sentence) }
}

/// Why an archive can't be followed, and from which offset in it on: the cause of a failure.
package struct ArchiveDamage: Error {
    package let reason: String
    package let offset: UInt64
}
