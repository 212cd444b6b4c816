extension Failure.Code {
    /// A content is no tar archive or a damaged one, or what is asked of an archive can't be done.
    public static let archive = Failure.Code("archive")
}

extension Failure {
    static let noArchive = Failure(.archive, "not a tar archive")

    /// - Parameter offset: the byte of the archive where it happened.
    static func damagedArchive(_ reason: String, at offset: UInt64) -> Failure {
        Failure(.archive, "damaged tar archive at byte \(offset) of the content: \(reason)", offset: offset)
    }

    static func cutArchive(at offset: UInt64) -> Failure { .damagedArchive("it ends within a member", at: offset) }

    static func archive(_ sentence: String) -> Failure { Failure(.archive, sentence) }
}
