/// Groups of options that only some commands use. Others ignore them, or reject them.
struct HeededOptions: OptionSet, Sendable {
    let rawValue: Int

    /// How content is divided into frames, and libzstd's strongest settings.
    static let frames = HeededOptions(rawValue: 1 << 0)
    /// Parameters of libzstd.
    static let parameters = HeededOptions(rawValue: 1 << 1)
    static let training = HeededOptions(rawValue: 1 << 2)
    /// Benchmarks.
    static let measuring = HeededOptions(rawValue: 1 << 3)
    static let patches = HeededOptions(rawValue: 1 << 4)
    /// Passing data in an unknown format unchanged.
    static let passing = HeededOptions(rawValue: 1 << 5)
    static let json = HeededOptions(rawValue: 1 << 6)
    /// Ranges of a file's content.
    static let ranges = HeededOptions(rawValue: 1 << 7)
    static let recovery = HeededOptions(rawValue: 1 << 8)
    /// A reference file to compare with.
    static let reference = HeededOptions(rawValue: 1 << 9)
    static let resuming = HeededOptions(rawValue: 1 << 10)
    /// Appending to an existing file.
    static let growing = HeededOptions(rawValue: 1 << 11)
    /// The share of a file that a machine processes.
    static let shares = HeededOptions(rawValue: 1 << 12)
    /// Options for data that is processed, such as its hash.
    static let data = HeededOptions(rawValue: 1 << 14)
    static let alignment = HeededOptions(rawValue: 1 << 15)
    static let verification = HeededOptions(rawValue: 1 << 16)
    /// Statistics of the runs that made the parts.
    static let joining = HeededOptions(rawValue: 1 << 17)
    /// The members of a tar archive: an index or a list of them, and their extraction.
    static let archives = HeededOptions(rawValue: 1 << 18)
    static let members = HeededOptions(rawValue: 1 << 19)
    /// Statistics, traces and reports.
    static let statistics = HeededOptions(rawValue: 1 << 20)
    /// What may follow compressed data.
    static let endings = HeededOptions(rawValue: 1 << 21)
}
