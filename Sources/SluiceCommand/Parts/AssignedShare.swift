import Sluice

/// The share of a file that a machine was told to process.
struct AssignedShare: CustomStringConvertible {
    let share: ContentShare
    /// The scheduler's variables that determined the share, with their values; nil if the option named it.
    let origin: String?

    /// Names the share, and its origin if the user did not choose it.
    var description: String { share.description + (origin.map { " (\($0))" } ?? "") }
}
