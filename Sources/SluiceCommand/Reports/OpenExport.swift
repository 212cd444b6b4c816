import Sluice

/// An export during the run: what it observes, and what it does at the end.
struct OpenExport: Sendable {
    /// The recorded run.
    struct Record: Sendable {
        let statistics: Statistics
        /// Nil unless an export needs it.
        let timeline: Timeline?
    }

    /// Receives the stages' spans; nil for an export that only needs the record.
    let observe: SpanObserver?
    /// Completes the export; the record is nil if no export needs one.
    let finish: @Sendable (Record?) throws(Complaint) -> Void
}

extension OpenExport {
    /// Creates an export that is written as a whole at the end.
    init(on page: any Page, text: @escaping @Sendable (Record) -> String) {
        self.init(observe: nil) { record throws(Complaint) in
            guard let record else { preconditionFailure("an export that is made from a record says that it needs one") }
            try page.write(text(record))
            try page.finish()
        }
    }
}
