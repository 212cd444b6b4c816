/// What is measured, and how.
struct Measuring: Sendable {
    var levels = 3...3
    var time = Duration.seconds(3)
    /// Whether each file is measured for itself.
    var isSeparate = false
    /// How much of what is made up repeats what is before it, 0 to 1.
    var compressibility = 0.5
    var onlyDecompresses = false
}
