internal import Glibc

/// A file of which several processes, perhaps on several machines, each write a part in its place at the same time.
///
/// It is `.NAME.parts` beside the file that it becomes: the content, and a label after it, which tells it from all
/// others. A part that is on the disk has a mark, a file `.NAME.parts.K-of-N` that begins with the label. The process
/// that writes a part holds a lock on its place.
///
/// It is opened to be written only: a client of a network file system then sends the bytes of its own part, and not a
/// page that it shares with another part.
package final class SharedFile: Sendable {
    private let open: OpenFile
    /// The number of parts.
    package var count: Int { label.count }
    /// What it has before the label.
    package let content: SharedContent
    private let label: SharedFileLabel
    private let target: FilePath
    private let file: ResumableFile

    /// To be written, with a position of its own.
    package var descriptor: FileDescriptor { open.descriptor }

    /// Opens the file that another part has created, or creates it.
    ///
    /// - Parameters:
    ///   - target: the file that it becomes.
    ///   - source: the compressed file whose content it gets.
    ///   - count: the number of parts; nil to open a file that is there, with any number.
    /// - Throws: as `SharedContent` does; `part` if there is no such file, or one of something else; `file`,
    ///   `sharedLeftover`.
    package init(for target: FilePath, of source: Source, parts count: Int?) throws(Failure) {
        content = try SharedContent(of: source)
        let (size, source) = (content.size, content.description)
        guard target.lastComponent?.kind == .regular else {
            throw .file(action: "create", path: target, .isDirectory)
        }
        let folder = try Failure.file("open the directory of", target, OpenFolder.of(target))
        let file = Self.file("", of: target, in: folder)
        (self.target, self.file) = (target, file)
        // To look at it first makes a FUSE server forget the second name that the file had when it was created.
        var opened = try file.open(nil, O_WRONLY, mayBeReadable: true)
        if opened == nil, let count {
            try Self.make(file, size: size, from: source, parts: count)
            opened = try file.open(nil, O_WRONLY, mayBeReadable: true)
        }
        guard let opened else { throw .part(.absent, file.path) }
        open = OpenFile(opened)
        label = try Self.label(of: opened, file, target, size: size, isWritten: count != nil)
        if label.source != source { throw .part(.otherSource, file.path) }
        if let count, label.count != count { throw .part(.otherCount(label.count), file.path) }
    }

    /// The file, or with a suffix another one beside it.
    private static func file(_ suffix: String, of target: FilePath, in folder: OpenFolder) -> ResumableFile {
        let name = target.lastComponent?.between(".", and: ".parts" + suffix)
        return ResumableFile(name.map { target.parent.appending($0) } ?? target, in: folder)
    }

    /// The label, when it is cut off the file.
    private static func cutLabel(of target: FilePath, in folder: OpenFolder) -> ResumableFile {
        Self.file(".label", of: target, in: folder)
    }

    private func mark(of share: ContentShare) -> ResumableFile {
        Self.file(".\(share.number)-of-\(share.count)", of: target, in: file.folder)
    }

    // MARK: - Parts

    /// Waits until no other process writes the part, and moves the descriptor to its place.
    ///
    /// - Parameters:
    ///   - latch: ends the waiting, from elsewhere.
    ///   - willWait: called before it waits.
    /// - Returns: false if the part is done already.
    /// - Throws: `isBeingMade` if the file got its name meanwhile; `cancelled`, `writing`, `file`.
    package func begin(_ share: ContentShare, latch: FailureLatch, willWait: () -> Void) throws(Failure) -> Bool {
        let place = content.place(of: share)
        try lock(place, latch: latch, willWait)
        guard file.isStill(descriptor) else { throw .isBeingMade(target) }
        if try mark(of: share).text(limit: SharedFileLabel.largest) == text(of: share) { return false }
        try Failure.writing(descriptor.stand(at: place.lowerBound))
        return true
    }

    /// Whether a part that was begun has no data yet, as far as the file system tells: zeros need not be written there.
    ///
    /// - Throws: `writing`.
    package func isHole(_ share: ContentShare) throws(Failure) -> Bool {
        let place = content.place(of: share)
        let data = descriptor.data(from: place.lowerBound)
        // The search has moved the descriptor.
        try Failure.writing(descriptor.stand(at: place.lowerBound))
        return data.map { $0.lowerBound >= place.upperBound } ?? false
    }

    /// Marks a part as done.
    ///
    /// - Parameter isSynced: whether to wait until the part, and then its mark, is on the disk.
    /// - Throws: `writing`, `file`.
    package func finish(_ share: ContentShare, isSynced: Bool) throws(Failure) {
        if isSynced { try OutputFile.sync(descriptor, target) }
        // A network file system may report a late error here.
        try Failure.writing(descriptor.endWriting(staysOpen: true))
        try Self.write(text(of: share), to: mark(of: share), isSynced: isSynced)
    }

    private func text(of share: ContentShare) -> String {
        let place = content.place(of: share)
        return label.text + "\(share), bytes \(place.lowerBound) to \(place.upperBound)\n"
    }

    /// Without locks, all runs of a part write the same bytes.
    private func lock(_ place: Range<UInt64>, latch: FailureLatch, _ willWait: () -> Void) throws(Failure) {
        guard !place.isEmpty else { return }
        var hasWaited = false
        while !descriptor.lock(place) {
            if !hasWaited { willWait() }
            hasWaited = true
            try latch.check()
            usleep(200_000)
        }
    }

    // MARK: - All of it

    /// Checks that all parts are done, and cuts the label off: the rest is the file.
    ///
    /// - Parameter isReplacing: whether a file of its final name may be replaced.
    /// - Returns: the file, before it gets that name.
    /// - Throws: `missingParts`; `part` if a mark belongs to another file; `isBeingMade`, `file`.
    package func whole(isReplacing: Bool) throws(Failure) -> OutputFile {
        guard descriptor.lock(0..<0) else { throw .isBeingMade(target) }
        var missing: [Int] = []
        for share in shares {
            let mark = mark(of: share)
            guard let text = try mark.text(limit: SharedFileLabel.largest) else {
                missing.append(share.number)
                continue
            }
            if text != self.text(of: share) { throw .part(.otherMark(share), mark.path) }
        }
        if !missing.isEmpty { throw .missingParts(missing, of: count) }
        // A run that is interrupted between the two can go on with it.
        try Self.write(label.text, to: Self.cutLabel(of: target, in: file.folder), isSynced: true)
        try Failure.file("cut", file.path, descriptor.cut(to: content.size))
        return try OutputFile(
            finishing: descriptor, file.path, as: target, in: file.folder, isReplacing: isReplacing)
    }

    /// Removes the marks, when the file has its name.
    package func removeMarks() {
        for mark in shares.map({ mark(of: $0) }) + [Self.cutLabel(of: target, in: file.folder)] { try? mark.remove() }
    }

    private var shares: some Sequence<ContentShare> {
        (1...count).lazy.compactMap { [count] in ContentShare($0, of: count) }
    }

    // MARK: - Files

    /// Creates the file, complete with its label, unless another process was faster.
    private static func make(
        _ file: ResumableFile, size: UInt64, from source: String, parts count: Int
    ) throws(Failure) {
        let path = file.path
        let new = try OutputFile(at: path, isReplacing: false)
        let descriptor = new.descriptor
        try Failure.file("lengthen", path, descriptor.lengthen(to: size))
        try Failure.writing(descriptor.stand(at: size))
        let label = try Failure.writing(SharedFileLabel(source: source, count: count))
        try Failure.writing(descriptor.writeEverything(Array(label.text.utf8)[...]))
        try OutputFile.sync(descriptor, path)
        _ = try new.publish()
        try file.folder.sync(for: path)
    }

    /// - Parameter isWritten: whether more will be written into the file.
    private static func label(
        of descriptor: FileDescriptor, _ file: ResumableFile, _ target: FilePath, size: UInt64, isWritten: Bool
    ) throws(Failure) -> SharedFileLabel {
        let found = try Failure.file("look at", file.path, FileIdentity(descriptor))
        // A run that cut the label off has kept it beside, and may have given the file the mode of its source.
        let isCut = found.size == size
        guard file.isPrivate(found) || isCut && !isWritten else { throw .sharedLeftover(file.path) }
        let holder = isCut ? cutLabel(of: target, in: file.folder) : file
        let text = try holder.text(from: isCut ? 0 : size, limit: SharedFileLabel.largest)
        guard let text, let label = SharedFileLabel(text) else {
            throw .part(found.size < size || isCut ? .noLabel : .otherSource, file.path)
        }
        return label
    }

    // Private, because a user who can read one mark can forge the others.
    private static func write(_ text: String, to mark: ResumableFile, isSynced: Bool) throws(Failure) {
        var file = try OutputFile(at: mark.path, isReplacing: true)
        file.isPrivate = true
        let descriptor = file.descriptor
        try Failure.file("write", mark.path, descriptor.writeEverything(Array(text.utf8)[...]))
        try file.commit(isSynced: isSynced)
    }
}
