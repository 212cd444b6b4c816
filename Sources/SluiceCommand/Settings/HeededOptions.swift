/// Options that mean something to some commands only. Others ignore them, or call them a mistake.
struct HeededOptions: OptionSet, Sendable {
    let rawValue: Int

    /// How what is compressed is cut into frames, and what libzstd does at its strongest.
    static let frames = HeededOptions(rawValue: 1 << 0)
    /// Numbers of libzstd.
    static let parameters = HeededOptions(rawValue: 1 << 1)
    /// How a dictionary is made.
    static let training = HeededOptions(rawValue: 1 << 2)
    /// What is measured, and how long.
    static let measuring = HeededOptions(rawValue: 1 << 3)
    /// That a difference is applied.
    static let patches = HeededOptions(rawValue: 1 << 4)
    /// Whether what is not compressed passes as it is.
    static let passing = HeededOptions(rawValue: 1 << 5)
    /// That what is listed is for programs.
    static let json = HeededOptions(rawValue: 1 << 6)
    /// Which part of a content is meant.
    static let parts = HeededOptions(rawValue: 1 << 7)
    /// That a file is damaged, and what becomes of what is lost.
    static let recovery = HeededOptions(rawValue: 1 << 8)
    /// What a content is compared with.
    static let reference = HeededOptions(rawValue: 1 << 9)
    /// That an earlier run is gone on with.
    static let resuming = HeededOptions(rawValue: 1 << 10)
    /// That a file which is there gets more frames.
    static let growing = HeededOptions(rawValue: 1 << 11)
    /// Which share of a file a machine does.
    static let shares = HeededOptions(rawValue: 1 << 12)
    /// That others have written parts of the output.
    static let marks = HeededOptions(rawValue: 1 << 13)
    /// What data passes through: a hash of it, for one.
    static let data = HeededOptions(rawValue: 1 << 14)
    /// Where frames may lie in the output.
    static let alignment = HeededOptions(rawValue: 1 << 15)
    /// That the output is proved.
    static let verification = HeededOptions(rawValue: 1 << 16)
    /// What the runs that made the parts have told.
    static let joining = HeededOptions(rawValue: 1 << 17)
}
