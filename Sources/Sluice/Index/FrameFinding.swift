/// How the frames of a range were found.
public enum FrameFinding: Equatable, Sendable {
    /// By the seek table at the end of the file.
    case seekTable
    /// From one frame header to the next.
    case headers
    /// The same, for the seek table contradicts the frames.
    case headersAgainstTable
    /// By an index in a file of its own.
    case indexFile
    /// By decoding everything once.
    case survey
    /// Not at all: everything before the range was decoded, and dropped.
    case none
}
