package import ByteStreams
internal import RemoteSources
package import SystemPackage

/// The file `.NAME.upload.note` beside a source, with what a later run needs to continue the upload that is made of it.
/// A store says nothing of an unfinished upload by which that could be known.
package final class UploadNote: Sendable {
    /// What is known of an upload.
    struct Record: Equatable, Sendable {
        let object: RemoteLocation
        /// What the run is known by (`WrittenObject.fingerprints`).
        let server: String
        let recipe: String
        /// Of the object.
        let mark: String
        let parts: WrittenObject.Parts
        let sizes: PartPlan.Sizes
    }

    private let note: LockedNote
    let path: FilePath
    /// What the bytes of the object are made by.
    let recipe: String
    /// What an earlier run has left; nil if that is nothing.
    let earlier: Record?

    /// Locks the note of a source, or creates an empty note.
    ///
    /// - Parameters:
    ///   - source: the file that is read.
    ///   - folder: of the source; nil for the one that its path leads to.
    ///   - recipe: everything that decides the bytes of the object: the source, as it is now, and the options.
    /// - Throws: `isBeingMade` if another process has locked it; `file`, also where nothing locks, or the
    ///   file has another text; `sharedLeftover`.
    package init(beside source: FilePath, in folder: OpenFolder? = nil, recipe: String) throws(Failure) {
        guard let name = source.lastComponent?.between(".", and: ".upload.note") else {
            throw .file(action: "create", path: source, .isDirectory)
        }
        let path = source.parent.appending(name)
        let opened =
            if let folder { folder } else { try Failure.file("open the directory of", path, OpenFolder.of(path)) }
        do throws(Failure) { note = try LockedNote(at: path, in: opened, about: source) } catch {
            guard error.code == .isBeingMade else { throw error }
            throw Failure(.isBeingMade, "another process is uploading \(source.printable)", path: source)
        }
        // Two runs could go on with one upload, or end that of each other.
        guard note.isLocked else {
            note.removeIfEmpty()
            throw .file(action: "lock", path: path, .notSupported)
        }
        (self.path, self.recipe) = (path, recipe)
        let text = try note.text()
        earlier = Record(text)
        guard earlier != nil || Record.isTorn(text) else {
            throw Failure(.file, "\(path.printable) is no note that this version understands", path: path)
        }
    }

    deinit { note.removeIfEmpty() }

    /// Records an upload that has just begun, and waits until that is on disk. Only then may its parts be sent.
    ///
    /// - Throws: `file`.
    func write(_ record: Record) throws(Failure) {
        try note.write(record.text)
        try note.sync()
        try note.syncName()
    }

    func remove() { note.remove() }
    func removeIfEmpty() { note.removeIfEmpty() }
}

extension UploadNote.Record {
    private static let names = ["object", "server", "recipe", "mark", "checksums", "parts", "upload"]
    private static let (opening, closing) = ("sluice upload 1", "end")

    /// A line for each, and one at the end, without which it was not written as a whole.
    var text: String {
        let numbers = [sizes.first, sizes.equal, sizes.step, sizes.largest].map(String.init).joined(separator: " ")
        let checksums = (parts.hasChecksums ? "crc32c" : "none") + (parts.areTagsHashes ? " md5" : "")
        let values = [object.url, server, recipe, mark, checksums, numbers, parts.identifier]
        let lines = zip(Self.names, values).map { "\($0) \($1)" }
        return ([Self.opening] + lines + [Self.closing]).map { $0 + "\n" }.joined()
    }

    /// Whether a note was not written as a whole: then no part was sent. A power cut may leave zeros.
    static func isTorn(_ text: String) -> Bool {
        if text.utf8.allSatisfy({ $0 == 0 }) { return true }
        let (start, bytes) = (Array((opening + "\n").utf8), Array(text.utf8))
        return start.starts(with: bytes) || bytes.starts(with: start) && !text.hasSuffix("\n\(closing)\n")
    }

    /// Nil for any text but one that was written as a whole by this version of the format.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == Self.names.count + 3, lines[0] == Self.opening, lines.last == "",
            lines[lines.count - 2] == Self.closing
        else { return nil }
        var values: [String] = []
        for (name, line) in zip(Self.names, lines.dropFirst()) {
            guard line.hasPrefix(name + " ") else { return nil }
            values.append(String(line.dropFirst(name.count + 1)))
        }
        let numbers = values[5].split(separator: " ").compactMap { Int($0) }
        guard let object = RemoteLocation(values[0]), object.scheme == .s3,
            values[3].utf8.count == 16, values[3].allSatisfy({ $0.isASCII && $0.isHexDigit }), numbers.count == 4,
            1...PartPlan.mostPart ~= numbers[0], numbers[1] >= 0, numbers[2] > 0, 0...PartPlan.mostPart ~= numbers[3]
        else { return nil }
        let checksums = values[4].split(separator: " ")
        let parts = WrittenObject.Parts(
            identifier: values[6], hasChecksums: checksums.contains("crc32c"), areTagsHashes: checksums.contains("md5"))
        guard parts.isWord, 1...WrittenObject.Parts.mostBytes ~= values[6].utf8.count else { return nil }
        self.init(
            object: object, server: values[1], recipe: values[2], mark: values[3], parts: parts,
            sizes: PartPlan.Sizes(first: numbers[0], equal: numbers[1], step: numbers[2], largest: numbers[3]))
    }
}
