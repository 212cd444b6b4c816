import Sluice

/// Lists the frames of files from their headers.
struct List: Command {
    let activity = Statistics.Activity("list", noun: "listing", content: .output, hasOutput: false)
    let heeds: HeededOptions = [.json, .archives]

    func run(_ operands: [FilePath], _ settings: Settings, _ console: Console) -> Int32 {
        let isVerbose = settings.reporting.verbosity > 0
        let form: ListingForm =
            if settings.reporting.isJSON {
                .json
            } else if settings.followsZstd {
                .zstd(verbosity: settings.reporting.verbosity)
            } else {
                .table(isVerbose: isVerbose)
            }
        return Lister(console: console, form: form, followsLinks: settings.input.isForced)
            .run(OperandQueue(operands, settings.input, console))
    }
}
