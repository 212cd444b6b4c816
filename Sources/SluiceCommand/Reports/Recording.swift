/// What is recorded of a run; each case includes the one before.
enum Recording: Comparable, Sendable {
    case nothing
    /// Totals and latencies of each stage, and a description of the machine.
    case statistics
    /// The course of the run over time and along its data.
    case timeline
}
