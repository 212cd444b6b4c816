import Sluice
import SystemPackage

/// Prints what files hold, as their headers tell.
struct List: Verb {
    let operation = Statistics.Operation.test

    /// Never asked for: no data passes.
    func action(for source: Source, _ settings: Settings) -> Action { .decompress() }

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
