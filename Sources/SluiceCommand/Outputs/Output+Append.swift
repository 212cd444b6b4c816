import Sluice

/// What surrounds the frames that `--append` adds to a file.
extension Output {
    /// Writes the frames that the file has already; nothing without a file.
    func begin(_ file: GrowingFile?, latch: FailureLatch) throws(Complaint) {
        guard let file, let sink else { return }
        try Complaint.about(source: name, file.begin(on: sink, latch: latch))
    }

    /// Writes what ends the file; nothing without a file.
    func end(_ file: GrowingFile?) throws(Complaint) {
        guard let file, let sink else { return }
        try Complaint.about(source: name, file.finish(on: sink))
    }
}
