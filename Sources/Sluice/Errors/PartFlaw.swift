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
    case absent
    case noLabel
    case otherSource
    case otherCount(Int)
    case otherMark(ContentShare)

    /// The difference between two parts that can't be joined.
    package enum Difference: Sendable {
        case count
        case source
        case level
        case frameSize
        case options
        case library
    }
}

extension PartFlaw: CustomStringConvertible {
    /// What is wrong, as a clause after the name of the part.
    package var description: String {
        switch self {
        case .noCard: "it is not a part of a file, or is truncated: it does not end in a card"
        case .otherSize(let expected, let actual):
            "its card is one for \(expected) bytes of frames, and there are \(actual)"
        case .contradiction: "its card contradicts itself"
        case .otherFrame(let offset): "the frame at byte \(offset) is not what its card says"
        case .otherBytes: "its frames have changed since it was made: their checksum differs"
        case .changed: "it changed while it was joined"
        case .unlike(let other, .count): "it belongs to another number of parts than \(other.printable)"
        case .unlike(let other, .source):
            "it is from another file than \(other.printable), or from another version of it"
        case .unlike(let other, .level): "it has another level than \(other.printable)"
        case .unlike(let other, .frameSize): "it has another frame size than \(other.printable)"
        case .unlike(let other, .options): "it was made with other options than \(other.printable)"
        case .unlike(let other, .library): "it was made by another version of libzstd than \(other.printable)"
        case .double(let share, let other): "it is \(share), and so is \(other.printable)"
        case .absent: "it is not there: no part has been decompressed into it"
        case .noLabel: "it is not a file that parts are decompressed into, or is truncated"
        case .otherSource: "parts of another file are decompressed into it, or of this one as it was at another time"
        case .otherCount(let count): "it is made of \(count) \(count == 1 ? "part" : "parts")"
        case .otherMark(let share): "it says that \(share) is done, of another file or at another time"
        }
    }
}
