import ArgumentParser

/// What becomes of a source when its output is complete.
enum SourceFate: String, EnumerableFlag {
    case keep, rm

    static func name(for fate: SourceFate) -> NameSpecification {
        fate == .keep ? [.customShort("k"), .long] : .long
    }

    static func help(for fate: SourceFate) -> ArgumentHelp? {
        fate == .keep ? "Keep the source (default)." : "Remove the source when the output is complete and on the disk."
    }
}
