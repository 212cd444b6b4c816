import ArgumentParser
import Sluice

/// The verbs, as the parser knows them: whoever adds one adds it here.
struct Mode: EnumerableFlag, CustomStringConvertible {
    /// In the order in which the help has them; the first is the standard one.
    static let allCases: [Mode] = [
        Mode(verb: Compress()), Mode(verb: Decompress()), Mode(verb: Check()), Mode(verb: List()), Mode(verb: Copy()),
        Mode(verb: Append()), Mode(verb: Join()), Mode(verb: JoinContent()),
        Mode(verb: Train()), Mode(verb: Measure()),
    ]

    /// What is done if nothing else is said.
    static var standard: Mode { allCases[0] }

    let verb: any Verb

    /// The long option, without its dashes.
    var description: String { verb.activity.name }

    /// The one that has the long option.
    static func named(_ name: String) -> Mode? { allCases.first { $0.description == name } }

    /// The one that has the short option.
    static func lettered(_ letter: UInt8) -> Mode? { allCases.first { $0.verb.letter?.asciiValue == letter } }

    static func == (mode: Mode, other: Mode) -> Bool { mode.description == other.description }

    static func name(for mode: Mode) -> NameSpecification {
        let word = NameSpecification.Element.customLong(mode.description)
        return NameSpecification(mode.verb.letter.map { [.customShort($0), word] } ?? [word])
    }

    static func help(for mode: Mode) -> ArgumentHelp? { ArgumentHelp(mode.verb.help) }
}
