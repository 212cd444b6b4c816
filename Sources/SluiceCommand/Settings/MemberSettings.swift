/// What is done with the members of a tar archive.
struct MemberSettings: Sendable {
    /// Whether an index of them is written, or they are listed.
    var areOn = false
    /// Names of those to extract, as bytes.
    var patterns: [[UInt8]] = []
    /// Whether they are written as an archive.
    var asTar = false
}
