import Sluice
import SystemPackage

/// Prints what files hold, as their headers tell.
struct List: Verb {
    let activity = Statistics.Activity("list", noun: "listing", content: .output, hasOutput: false)
    let letter: Character? = "l"
    let help = "Show frames, sizes and ratio."
    let heeds: HeededOptions = .json

    func run(_ operands: [FilePath], _ settings: Settings, _ console: Console) -> Int32 {
        let isVerbose = settings.verbosity > 0
        let form: ListingForm =
            if settings.listsJSON {
                .json
            } else if settings.followsZstd {
                .zstd(verbosity: settings.verbosity)
            } else {
                .table(isVerbose: isVerbose)
            }
        return Lister(console: console, form: form, followsLinks: settings.isForced)
            .run(OperandQueue(operands, settings, console))
    }
}
