/// Why a part can't be joined with the others; the description says what each case means.
package enum PartFlaw: Error, Equatable {
    case noCard
    case otherSize(expected: UInt64, actual: UInt64)
    case contradiction
    case otherFrame(offset: UInt64)
    case otherBytes
    case changed
    case unlike(FilePath, Difference)
    case double(ContentShare, FilePath)

    /// The difference between two parts that can't be joined, as a clause before "than" and the other part.
    package enum Difference: String, Sendable {
        case count = "it belongs to a different number of parts"
        case source = "it is from a different file or version"
        case level = "it has a different level"
        case frameSize = "it has a different frame size"
        case options = "it was made with different options"
        case library = "it was made by a different version of libzstd"
    }
}

extension PartFlaw: CustomStringConvertible {
    /// What is wrong, as a clause after the name of the part.
    package var description: String {
        switch self {
        case .noCard: "it is not a part of a file, or is truncated"
        case .otherSize(let expected, let actual):
            "its part card lists \(expected) bytes of frames, but there are \(actual)"
        case .contradiction: "its part card contradicts itself"
        case .otherFrame(let offset): "the frame at byte \(offset) does not match its part card"
        case .otherBytes: "its frames have changed since it was made: their checksum differs"
        case .changed: "it changed while it was joined"
        case .unlike(let other, let difference): "\(difference.rawValue) than \(other.printable)"
        case .double(let share, let other): "it is \(share), and so is \(other.printable)"
        }
    }
}
