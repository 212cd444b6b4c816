/// What is kept of a run, to be told at its end; each includes the one before.
enum Recording: Comparable, Sendable {
    case nothing
    /// Sums and latencies of each stage, and what the machine is.
    case statistics
    /// How the run went over time and along its data.
    case timeline
}
