/// Settings of benchmarks.
struct Measuring: Sendable {
    var levels = 3...3
    var time = Duration.seconds(3)
    /// Whether each file is measured on its own.
    var isSeparate = false
    /// The share of synthetic data that repeats earlier data, 0 to 1.
    var compressibility = 0.5
    var onlyDecompresses = false
}
