/// Why a part can't be joined with the others.
package enum PartFlaw: Error, Equatable {
    /// The file does not end in a card: it is truncated, or not a part.
    case noCard
    /// The bytes in front of the card are not as many as the card lists.
    case otherSize(expected: UInt64, actual: UInt64)
    /// The card contradicts itself.
    case contradiction
    /// The frame at this byte is not the one that the card lists.
    case otherFrame(offset: UInt64)
    /// The frames do not match the checksum of the card.
    case otherBytes
    /// The part has changed since it was checked.
    case changed
    /// The part has another source, or other options, than another part.
    case unlike(FilePath, Difference)
    /// Another file is the same part.
    case double(ContentShare, FilePath)
    /// No part has been decompressed into the shared file.
    case absent
    /// The file is not one that parts are decompressed into, or is truncated.
    case noLabel
    /// Parts of another file are decompressed into it.
    case otherSource
    /// Another number of parts is decompressed into it.
    case otherCount(Int)
    /// It marks a part of another file as done.
    case otherMark(ContentShare)

    /// The difference between two parts that can't be joined.
    package enum Difference: Sendable {
        /// How many parts there are.
        case count
        /// The size, the time or the ends of the source.
        case source
        /// The level of compression.
        case level
        /// Decompressed bytes of a frame.
        case frameSize
        /// Other options that affect the bytes.
        case options
        /// The version of libzstd.
        case library
    }
}

extension PartFlaw: CustomStringConvertible {
    /// What is wrong, as a clause behind the name of the part.
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
