import Sluice

/// A command through which data passes, from each operand to what becomes of it. Its `run` is a `Session`.
protocol Transfer: Command {
    /// What is done with an operand.
    ///
    /// - Throws: why it can't be done with this one.
    func action(for source: Source, _ settings: Settings) throws(Failure) -> Action
    /// What is done with a share of a content of which others do the rest; nil if it has no shares.
    func action(on content: SharedContent, _ settings: Settings) -> Action?
    /// What is done with small files, as wholes; nil if each takes a run.
    func wholeFileAction(_ settings: Settings) -> Action?
    /// What is done with a file that is damaged to tell more of it than where that began; nil for nothing.
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> Action?
}

extension Transfer {
    func action(on content: SharedContent, _ settings: Settings) -> Action? { nil }
    func wholeFileAction(_ settings: Settings) -> Action? { nil }
    func inspection(of source: Source, after failure: Failure, _ settings: Settings) -> Action? { nil }
}
