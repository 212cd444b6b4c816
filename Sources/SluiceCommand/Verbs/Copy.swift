import Sluice

/// The data passes as it is.
struct Copy: Verb {
    let operation = Statistics.Operation.copy

    func action(for source: Source, _ settings: Settings) -> Action { .copy }
}
