public import SystemPackage
public import ZstdCodec

/// Why a part can't be joined with the others.
public enum PartFlaw: Error, Equatable {
    /// It does not end in a card: it was cut, or is no part.
    case noCard
    /// It has other bytes in front of the card than those that the card lists.
    case otherSize(expected: UInt64, actual: UInt64)
    /// The card contradicts itself.
    case contradiction
    /// The frame at this byte is not the one that the card lists.
    case otherFrame(offset: UInt64)
    /// Its frames are not the bytes of which its card has the checksum.
    case otherBytes
    /// It is not what it was when it was looked at.
    case changed
    /// It was made of something else, or in another way, than another part.
    case unlike(FilePath, Difference)
    /// Another file is the same part.
    case double(ContentShare, FilePath)
    /// No part of what is decompressed has been made.
    case absent
    /// It is no file that several parts are decompressed into, or was cut.
    case noLabel
    /// Another file is decompressed into it.
    case otherSource
    /// So many parts are decompressed into it.
    case otherCount(Int)
    /// It says of another file that this part of it is done.
    case otherMark(ContentShare)

    /// In what two parts differ that can't be joined.
    public enum Difference: Sendable {
        /// How many parts there are.
        case count
        /// What they were made of: its size, its time, or its ends.
        case source
        /// The level of compression.
        case level
        /// Decompressed bytes of a frame.
        case frameSize
        /// What else decides about the bytes.
        case options
        /// The version of libzstd.
        case library
    }
}

extension PartFlaw: CustomStringConvertible {
    /// What is wrong, as it stands behind the name of the part.
    public var description: String {
        switch self {
        case .noCard: "it is no part of a file, or was cut: no card ends it"
        case .otherSize(let expected, let actual):
            "its card is one for \(expected) bytes of frames, and there are \(actual)"
        case .contradiction: "its card contradicts itself"
        case .otherFrame(let offset): "the frame at byte \(offset) is not what its card says"
        case .otherBytes: "its frames are not what they were when it was made: its checksum is another one"
        case .changed: "it changed while it was joined"
        case .unlike(let other, .count): "it is one of another number of parts than \(other.printable)"
        case .unlike(let other, .source):
            "it is no part of the same file as \(other.printable), or of that at another time"
        case .unlike(let other, .level): "it has another level than \(other.printable)"
        case .unlike(let other, .frameSize): "it has another frame size than \(other.printable)"
        case .unlike(let other, .options): "it was made with other options than \(other.printable)"
        case .unlike(let other, .library): "it was made by another version of libzstd than \(other.printable)"
        case .double(let share, let other): "it is \(share), and so is \(other.printable)"
        case .absent: "it is not there: no part has been decompressed into it"
        case .noLabel: "it is no file that parts are decompressed into, or was cut"
        case .otherSource: "parts of another file are decompressed into it, or of this one as it was at another time"
        case .otherCount(let count): "it is made of \(count) \(count == 1 ? "part" : "parts")"
        case .otherMark(let share): "it says that \(share) is done, of another file or at another time"
        }
    }
}
