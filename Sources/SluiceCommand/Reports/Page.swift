/// Where something is said about a run: a `SideFile`, or standard error.
protocol Page: Sendable {
    /// Appends text.
    ///
    /// - Throws: why it can't be written.
    func write(_ text: String) throws(Complaint)
    /// Makes what was written complete.
    func finish() throws(Complaint)
}

extension Console: Page {
    func finish() {}
}
