public import ForeignCodec
internal import Glibc
public import SystemPackage
public import ZstdCodec

/// Why a run ended without success. Reading and writing differ in type, so that neither is taken for an end of the
/// data.
public enum Failure: Error, Equatable, Sendable {
    /// Something is wrong with Zstandard data, or with what was asked of libzstd.
    case codec(CodecFailure)
    /// The same for data in a format other than Zstandard.
    case foreign(ForeignFailure)
    /// The input can't be read.
    case reading(Errno)
    /// The output can't be written.
    case writing(Errno)
    /// Another call on a file failed; `action` is a verb, such as "open" or "rename".
    case file(action: String, path: FilePath, Errno)
    /// A file could not be created, for the folder that it should be in does not exist.
    case missingFolder(of: FilePath)
    /// The source had fewer bytes than when it was opened.
    case sourceShrank(expected: UInt64, read: UInt64)
    /// What has to be in memory as a whole has more bytes than these.
    case tooLargeToHold(limit: UInt64)
    /// None of the bytes that were asked for is there: the content has so many.
    case nothingThere(contentSize: UInt64)
    /// What comes from no file, or has no frames, is read from its start on only: not from its end, nor back and forth.
    case onlyForward(isFile: Bool)
    /// What comes from no file can't be searched back and forth.
    case noFile
    /// An index is none of this file.
    case wrongIndex(FilePath)
    /// What was named as an index is none, of whatever file, or is not whole.
    case noIndex(FilePath)
    /// The content is not that of a file, from this byte on.
    case contentDiffers(from: FilePath, at: UInt64)
    /// The content ends after so many bytes, and the file that it was compared with does not.
    case contentEnds(before: FilePath, at: UInt64)
    /// The file that the content was compared with ends after so many bytes, and the content does not.
    case contentGoesOn(behind: FilePath, at: UInt64)
    /// What was compressed does not give back its content, from this byte of the content on.
    case unproven(contentOffset: UInt64)
    /// The source is not what it was when it was opened: a part of it may fit no other.
    case sourceChanged
    /// A part is taken of a file, whose size is known.
    case sizeUnknown
    /// A part would have so many frames, which no card lists.
    case tooManyFramesInPart(Int)
    /// A part can't be joined with the others.
    case part(PartFlaw, FilePath)
    /// These parts, of so many, are not there.
    case missingParts([Int], of: Int)
    /// A content can't be shared out: it is one single frame, or frames do not say how much they hold.
    case indivisible(isSingleFrame: Bool)
    /// The frame at this byte has no place in a seek table: it does not say how much it holds, or holds over 1 GiB.
    case unlisted(offset: UInt64)
    /// Several streams stand behind each other: the seek table at this byte ends one, and more follows.
    case severalStreams(offset: UInt64)
    /// What was kept of the output is none of this source: it holds another byte there.
    case otherSource(offset: UInt64)
    /// Another process makes this file.
    case isBeingMade(FilePath)
    /// No hash of the content can be made; the words say why.
    case hash(String)
    /// No thread could be started for the run.
    case outOfThreads(Errno)
    /// The run was told to stop.
    case cancelled
}

extension Failure: CustomStringConvertible {
    /// What happened, as it stands within a sentence, with the names of files that are not the source or the sink.
    public var description: String {
        switch self {
        case .codec(let failure): failure.description
        case .foreign(let failure): failure.description
        case .reading(let error): "can't read: \(error.sentence)"
        case .writing(let error): "can't write: \(error.sentence)"
        case .file(let action, let path, let error): "can't \(action) \(path.printable): \(error.sentence)"
        case .missingFolder(let path):
            "can't create \(path.printable): the folder \(path.folder.printable) does not exist"
        case .sourceShrank(let expected, let read):
            "the file shrank while it was read: \(read) of \(expected) bytes were there"
        case .tooLargeToHold(let limit): "it has more than the \(limit) bytes that are taken into memory"
        case .nothingThere(let size): "nothing is there: the content has \(size) bytes"
        case .onlyForward(true): "it has no frames that could be found: it is read forward only, and not from its end"
        case .onlyForward(false): "it is no file: it is read forward only, and not from its end"
        case .noFile: "it is no file: frames are looked for back and forth"
        case .wrongIndex(let path): "\(path.printable) is not its index"
        case .noIndex(let path): "\(path.printable) is no whole index: it is not replaced by one"
        case .contentDiffers(let path, let offset):
            "the content differs from \(path.printable), first at byte \(offset)"
        case .contentEnds(let path, let offset):
            "the content ends at byte \(offset), and \(path.printable) goes on"
        case .contentGoesOn(let path, let offset):
            "the content goes on at byte \(offset), where \(path.printable) ends"
        case .unproven(let offset):
            "verification failed: what was compressed does not give back the content, from its byte \(offset) on"
        case .sourceChanged: "it changed while it was read: this part of it may fit no other"
        case .sizeUnknown: "it is no file whose size is known: it has no parts"
        case .tooManyFramesInPart(let count):
            "\(count) frames are too many for a part, which has \(PartCard.mostFrames)"
        case .part(let flaw, let path): "\(path.printable): \(flaw)"
        case .missingParts(let numbers, let count): missing(numbers, of: count)
        case .indivisible(true): "it is a single frame, which can't be shared out"
        case .indivisible(false): "its frames do not say how much they hold: it can't be shared out"
        case .unlisted(let offset):
            "the frame at byte \(offset) does not say how much it holds, or holds more than 1 GiB: no seek table tells of it"
        case .severalStreams(let offset):
            "it is several files behind each other: the seek table at byte \(offset) ends the first of them"
        case .otherSource(let offset):
            "the unfinished output was made from something else: it differs from byte \(offset) on"
        case .isBeingMade(let path): "another process is making \(path.printable)"
        case .hash(let words): words
        case .outOfThreads(let error): "can't start a thread: \(error.sentence)"
        case .cancelled: "cancelled"
        }
    }
}

/// The first of them are enough to go on.
private func missing(_ numbers: [Int], of count: Int) -> String {
    let named = numbers.prefix(10).map(String.init).joined(separator: ", ") + (numbers.count > 10 ? ", ..." : "")
    return numbers.count == 1
        ? "part \(named) of \(count) is missing" : "\(numbers.count) of \(count) parts are missing: \(named)"
}

extension Failure {
    /// Runs what reads.
    ///
    /// - Throws: `reading`.
    static func reading<Result>(_ body: () throws(Errno) -> Result) throws(Failure) -> Result {
        do throws(Errno) { return try body() } catch { throw .reading(error) }
    }

    /// Runs what writes.
    ///
    /// - Throws: `writing`.
    static func writing<Result>(_ body: () throws(Errno) -> Result) throws(Failure) -> Result {
        do throws(Errno) { return try body() } catch { throw .writing(error) }
    }

    /// Makes a call on a file, again as long as it is interrupted.
    ///
    /// - Throws: `file`, if the call returns less than 0.
    @discardableResult
    static func check(_ action: String, _ path: FilePath, _ call: () -> Int32) throws(Failure) -> Int32 {
        do throws(Errno) { return try systemCall(call) } catch { throw .file(action: action, path: path, error) }
    }
}

/// Runs what throws the codec's failures where the library's are thrown.
func codec<Result: ~Copyable>(_ body: () throws(CodecFailure) -> Result) throws(Failure) -> Result {
    do throws(CodecFailure) { return try body() } catch { throw .codec(error) }
}
