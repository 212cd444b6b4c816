/// The destination of an export: a `SideFile`, or standard error.
protocol Page: Sendable {
    /// Appends text.
    ///
    /// - Throws: why it can't be written.
    func write(_ text: String) throws(Complaint)
    /// Completes the output.
    func finish() throws(Complaint)
}

extension Console: Page {
    func finish() {}
}
