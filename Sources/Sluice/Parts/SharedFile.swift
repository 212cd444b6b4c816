internal import ByteStreams
internal import CKernel
internal import Glibc
package import SystemPackage
package import ZstdCodec

/// A file that several processes write at the same time, each a part of it in its place, on several machines perhaps.
///
/// It is `.NAME.parts` beside the file that it becomes, as long as that will be and a label more, which says what it
/// is made of. A part that is on the disk has a mark, a file of its own, `.NAME.parts.K-of-N`: it begins with the
/// label, so that it is none of another file. Whoever writes a part holds a lock on its place.
///
/// It is opened to be written only: a client of a file system on the network then sends the bytes of its own part, and
/// not the page that another part shares with them.
package final class SharedFile: Sendable {
    /// To be written; where it stands is nobody else's.
    package let descriptor: FileDescriptor
    /// How many parts it has.
    package var count: Int { label.count }
    /// Bytes, without the label.
    private let size: UInt64
    private let label: SharedFileLabel
    private let target: FilePath
    private let path: FilePath
    private let folder: OpenFolder

    /// Opens what other parts have begun, or else begins it.
    ///
    /// - Parameters:
    ///   - target: the file that it becomes.
    ///   - size: of its content, in bytes.
    ///   - source: what that is made from, in one line.
    ///   - count: how many parts it has; nil for an unfinished file that is there, whatever it has.
    /// - Throws: `part` if what is there is no such file, or one of something else; `file`.
    package init(for target: FilePath, size: UInt64, from source: String, parts count: Int?) throws(Failure) {
        guard target.lastComponent?.kind == .regular, let name = Self.name("", of: target) else {
            throw .file(action: "create", path: target, .isDirectory)
        }
        do throws(Errno) { folder = try OpenFolder.of(target) } catch {
            throw .file(action: "open the folder of", path: target, error)
        }
        path = Self.path("", of: target)
        (self.target, self.size) = (target, size)
        var opened = try Self.open(name, in: folder, path)
        if opened == nil, let count {
            try Self.make(path, in: folder, size: size, from: source, parts: count)
            opened = try Self.open(name, in: folder, path)
        }
        guard let opened else { throw .part(.absent, path) }
        do throws(Failure) {
            label = try Self.label(of: opened, target, in: folder, size: size, isWritten: count != nil)
            if label.source != source { throw .part(.otherSource, path) }
            if let count, label.count != count { throw .part(.otherCount(label.count), path) }
        } catch {
            try? opened.close()
            throw error
        }
        descriptor = opened
    }

    deinit { try? descriptor.close() }

    /// The name of the file, and with a suffix of what belongs to it.
    private static func name(_ suffix: String, of target: FilePath) -> FilePath.Component? {
        target.lastComponent?.between(".", and: ".parts" + suffix)
    }

    private static func path(_ suffix: String, of target: FilePath) -> FilePath {
        name(suffix, of: target).map { target.removingLastComponent().appending($0) } ?? target
    }

    private func mark(of share: ContentShare) -> FilePath {
        Self.path(".\(share.number)-of-\(share.count)", of: target)
    }

    private var labelPath: FilePath { Self.path(".label", of: target) }

    // MARK: - Parts

    /// Waits until no other process writes the same place, and stands there.
    ///
    /// - Parameters:
    ///   - place: of the part, in bytes of the file.
    ///   - latch: ends the waiting, from elsewhere.
    ///   - willWait: called before it waits.
    /// - Returns: false if the part is done, and nothing is left to be written.
    /// - Throws: `isBeingMade` if the file got its name meanwhile; `cancelled`, `writing`, `file`.
    package func begin(
        _ share: ContentShare, at place: Range<UInt64>, latch: FailureLatch, willWait: () -> Void
    ) throws(Failure) -> Bool {
        try lock(place, latch: latch, willWait)
        guard let name = path.lastComponent, ResumableFile.isStill(name, in: folder, descriptor) else {
            throw .isBeingMade(target)
        }
        if try said(at: mark(of: share)) == text(of: share, place) { return false }
        try Failure.writing { () throws(Errno) in
            _ = try systemCall { lseek(descriptor.rawValue, off_t(clamping: place.lowerBound), SEEK_SET) }
        }
        return true
    }

    /// Whether a place has no data yet, as far as the file system tells: zeros can be left out there.
    package func isHole(_ place: Range<UInt64>) -> Bool {
        let position = lseek(descriptor.rawValue, 0, SEEK_CUR)
        defer { lseek(descriptor.rawValue, position, SEEK_SET) }
        let data = sluice_seek_data(descriptor.rawValue, Int64(clamping: place.lowerBound))
        return data < 0 ? errno == ENXIO : UInt64(data) >= place.upperBound
    }

    /// Says that a part is done, when what it wrote is on the disk.
    ///
    /// - Parameter isSynced: whether to wait for that.
    /// - Throws: `writing`, `file`.
    package func finish(_ share: ContentShare, at place: Range<UInt64>, isSynced: Bool) throws(Failure) {
        if isSynced { try OutputFile.sync(descriptor, target, "sync") }
        // A late error of a file system on the network comes here.
        let copy = dup(descriptor.rawValue)
        guard copy < 0 || close(copy) == 0 || errno == EINTR else { throw .writing(Errno(rawValue: errno)) }
        try Self.write(text(of: share, place), to: mark(of: share), isSynced: isSynced)
    }

    private func said(at path: FilePath) throws(Failure) -> String? {
        try ResumableFile.text(path, in: folder, limit: SharedFileLabel.largest)
    }

    private func text(of share: ContentShare, _ place: Range<UInt64>) -> String {
        label.text + "\(share), bytes \(place.lowerBound) to \(place.upperBound)\n"
    }

    /// Where locks are not had, each run of a part writes the same bytes all the same.
    private func lock(_ place: Range<UInt64>, latch: FailureLatch, _ willWait: () -> Void) throws(Failure) {
        guard !place.isEmpty else { return }
        var hasWaited = false
        while sluice_lock_range(descriptor.rawValue, place.lowerBound, place.upperBound - place.lowerBound) != 0 {
            guard [EAGAIN, EACCES, EINTR].contains(errno) else { return }
            if !hasWaited { willWait() }
            hasWaited = true
            try latch.check()
            usleep(200_000)
        }
    }

    // MARK: - All of it

    /// Sees that all parts are done, and takes the label off: what is there then is the file.
    ///
    /// - Parameters:
    ///   - isReplacing: whether a file of its final name may be replaced.
    ///   - place: where a part lies, in bytes.
    /// - Returns: the file, without that name.
    /// - Throws: `missingParts`, `part` if a mark is one of another file, `isBeingMade`, `file`.
    package func whole(
        isReplacing: Bool, _ place: (ContentShare) -> Range<UInt64>
    ) throws(Failure) -> OutputFile {
        guard sluice_lock_range(descriptor.rawValue, 0, 0) == 0 || ![EAGAIN, EACCES].contains(errno) else {
            throw .isBeingMade(target)
        }
        var missing: [Int] = []
        for share in shares {
            guard let text = try said(at: mark(of: share)) else {
                missing.append(share.number)
                continue
            }
            if text != self.text(of: share, place(share)) { throw .part(.otherMark(share), mark(of: share)) }
        }
        if !missing.isEmpty { throw .missingParts(missing, of: count) }
        // Whoever is interrupted between the two goes on by this.
        try Self.write(label.text, to: labelPath, isSynced: true)
        try Failure.check("cut", path) { ftruncate(descriptor.rawValue, off_t(clamping: size)) }
        return try OutputFile(finishing: descriptor, path, as: target, in: folder, isReplacing: isReplacing)
    }

    /// Removes what is left when the file has its name.
    package func removeMarks() {
        let names = shares.map { mark(of: $0) } + [labelPath]
        for name in names.compactMap(\.lastComponent) { try? folder.remove(name) }
    }

    private var shares: some Sequence<ContentShare> {
        (1...count).lazy.compactMap { [count] in ContentShare($0, of: count) }
    }

    // MARK: - Files

    /// Nil if there is none.
    private static func open(
        _ name: FilePath.Component, in folder: OpenFolder, _ path: FilePath
    ) throws(Failure) -> FileDescriptor? {
        // A FUSE server may have kept the second name that the file had for a moment where it was made.
        guard try ResumableFile.find(path, in: folder) != nil else { return nil }
        let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor: FileDescriptor
        do throws(Errno) {
            descriptor = FileDescriptor(
                rawValue: try systemCall { name.withPlatformString { openat(folder.descriptor.rawValue, $0, flags) } })
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            throw .file(action: "open", path: path, error)
        }
        // Nobody else could change it later.
        guard let file = try? FileIdentity(descriptor), ResumableFile.isOurs(file) else {
            try? descriptor.close()
            throw ResumableFile.refusal(path)
        }
        return descriptor
    }

    /// Makes the file, whole with its label, unless another process was faster.
    private static func make(
        _ path: FilePath, in folder: OpenFolder, size: UInt64, from source: String, parts count: Int
    ) throws(Failure) {
        let file = try TemporaryFile(for: path, isNamed: false)
        try Failure.check("lengthen", path) { ftruncate(file.descriptor.rawValue, off_t(clamping: size)) }
        try Failure.writing { () throws(Errno) in
            try systemCall { lseek(file.descriptor.rawValue, 0, SEEK_END) }
            try file.descriptor.write(try SharedFileLabel(source: source, count: count).text)
        }
        try OutputFile.sync(file.descriptor, path, "sync")
        _ = try file.claimName()
        try folder.sync(for: path)
    }

    /// - Parameter isWritten: whether more will be written into the file.
    private static func label(
        of descriptor: FileDescriptor, _ target: FilePath, in folder: OpenFolder, size: UInt64, isWritten: Bool
    ) throws(Failure) -> SharedFileLabel {
        let path = path("", of: target)
        let file: FileIdentity
        do throws(Errno) { file = try FileIdentity(descriptor) } catch {
            throw .file(action: "look at", path: path, error)
        }
        let length = file.size
        // Whoever took the label off wrote it down before, and may have given the file the mode of its source.
        let isCut = length == size
        guard ResumableFile.isPrivate(file, at: path) || isCut && !isWritten else { throw ResumableFile.refusal(path) }
        let text = try ResumableFile.text(
            isCut ? Self.path(".label", of: target) : path, in: folder, from: isCut ? 0 : size,
            limit: SharedFileLabel.largest)
        guard let text, let label = SharedFileLabel(text) else {
            throw .part(length < size || isCut ? .noLabel : .otherSource, path)
        }
        return label
    }

    /// Whoever could read it could forge the mark of another part.
    private static func write(_ text: String, to path: FilePath, isSynced: Bool) throws(Failure) {
        var file = try OutputFile(at: path, isReplacing: true)
        file.isPrivate = true
        do throws(Errno) { try file.descriptor.write(text) } catch {
            throw .file(action: "write", path: path, error)
        }
        try file.commit(isSynced: isSynced)
    }
}

extension FileDescriptor {
    fileprivate func write(_ text: String) throws(Errno) {
        try Array(text.utf8).span.bytes.withUnsafeBytes { bytes throws(Errno) in
            var rest = bytes
            try writeEverything(&rest)
        }
    }
}
