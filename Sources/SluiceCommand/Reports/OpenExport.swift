import Sluice

/// An export while the run goes on: what it sees of it, and what it does at the end.
struct OpenExport: Sendable {
    /// What was kept of the run.
    struct Record: Sendable {
        let statistics: Statistics
        /// Nil unless one of the exports needs it.
        let timeline: Timeline?
    }

    /// Takes note of what a stage did; nil for an export that the record is enough for.
    let observe: SpanObserver?
    /// Completes what is written; without a record if none of the exports needs one.
    let finish: @Sendable (Record?) throws(Complaint) -> Void
}

extension OpenExport {
    /// One that is written as a whole when the run is over.
    init(on page: any Page, text: @escaping @Sendable (Record) -> String) {
        self.init(observe: nil) { record throws(Complaint) in
            guard let record else { preconditionFailure("an export that is made from a record says that it needs one") }
            try page.write(text(record))
            try page.finish()
        }
    }
}
