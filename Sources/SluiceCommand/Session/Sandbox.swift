internal import CKernel
import Glibc
import Sluice
import SystemPackage

/// What the process may still do when its operands are known (Landlock): a hostile file that takes over the decoder
/// gets no further.
///
/// - It may read the operand, or the folders of several: one of them may be replaced before its turn comes.
/// - It may make, write, list and remove files in the folders of outputs, and write outputs that are no files.
/// - Of folders with `-r`, all that is beneath them stands for the operands; `--output-dir-mirror` may make folders.
/// - With `--rm` it may remove files in the folders of operands, and give them other names there.
/// - It may read the folder of the output that is a part, or is joined from parts of a content.
/// - With `--resume` it may read the folder of the output, where an earlier run has left what it made, and with
///   `--verify=file`, which reads back what it makes.
/// - It may read the folder of the file that says how fast the input is read: whoever changes it may replace it.
/// - It may read the file that the content is compared with, and the folder of the statistics of parts.
/// - It may read /etc/os-release, if statistics say what the machine is.
/// - It may read /proc, without which libdispatch crashes, but there only what everybody may; and /sys/fs/cgroup, for
///   the number of workers.
///
/// A folder stands for everything beneath it. All else that Landlock knows is refused: to open, make, remove, rename
/// and execute files, TCP, abstract sockets, signals to others. What is open, such as the standard descriptors, stays
/// so.
struct Sandbox {
    private struct Access: OptionSet {
        let rawValue: UInt32

        static let read = Access(SLUICE_READ)
        static let list = Access(SLUICE_LIST)
        static let write = Access(SLUICE_WRITE)
        /// Files that get another name before they go.
        static let remove: Access = [Access(SLUICE_CREATE), Access(SLUICE_REMOVE)]
        static let removeLinks = remove.union(Access(SLUICE_MAKE_LINKS))
        /// Files that get their names in a folder, which is synced in the end.
        static let make: Access = [.list, .write, Access(SLUICE_CREATE), .remove]
        static let makeFolders = Access(SLUICE_MAKE_FOLDERS)

        init(rawValue: UInt32) { self.rawValue = rawValue }
        private init(_ access: sluice_access) { rawValue = access.rawValue }
    }

    /// So many operands are few, and those of a folder are looked at one by one.
    private static let few = 100

    private let settings: Settings
    /// In a list: what a dictionary of paths takes to be made once is a tenth of a small run.
    private var allowed: [(path: FilePath, access: Access)] = [
        ("/proc", [.read, .list]), ("/sys/fs/cgroup", .read),
    ]

    /// Whether a run is confined: not one that compresses many files, which would take longer by a fifteenth for the
    /// sake of a decoder that it does not have.
    ///
    /// Nor is one that follows links which it does not know yet.
    static func suits(_ operands: [FilePath], _ settings: Settings) -> Bool {
        let areMany = operands.count > few || settings.isRecursive
        return settings.isSandboxed && (!areMany || settings.verb.activity.content != .input)
            && !(settings.isRecursive && settings.isForced)
    }

    /// Looks at what the operands and the files that the settings name need.
    init(for operands: [FilePath], _ settings: Settings) {
        self.settings = settings
        let files = operands.filter { $0 != Operand.standardInput }
        if files.count == 1 {
            allow(.read, files[0])
            allowResults(of: files[0])
        } else {
            for (folder, files) in Dictionary(grouping: files, by: \.folder) { allow(files, in: folder) }
        }
        if case .path(let path) = settings.output { allowOutput(path) }
        if case .file(let path) = settings.rateLimit { allow(.read, path.folder) }
        if let folder = settings.outputFolder, settings.output == .derived { allowOutputs(in: folder) }
        if let reference = settings.reference { allow(.read, reference) }
        if let index = settings.indexFile {
            allow(.read, index)
            allowOutput(index)
        }
        if settings.isRecursive { for file in files { allowContents(of: file) } }
        if let folder = settings.partStatistics { allow(.read, folder) }
        if settings.recording >= .statistics { allow(.read, Machine.systemFile) }
        for path in settings.exports.compactMap(\.path) {
            allowOutput(path)
            // One that is there is looked at, before it gives way.
            if (try? FileIdentity(at: path))?.kind == .file { allow(.read, path) }
        }
    }

    /// Confines the process for good: this thread, which must be the only one, and those that it starts.
    ///
    /// - Throws: why it is not confined: `noFunction` or `notSupported` of a kernel without Landlock, `notPermitted`
    ///   for operands that it could not read then.
    func enter() throws(Errno) {
        var sandbox = sluice_sandbox()
        guard sluice_create_sandbox(&sandbox) == 0 else { throw Errno(rawValue: errno) }
        defer { close(sandbox.rules) }
        for (path, access) in allowed {
            if path.withPlatformString({ sluice_allow(&sandbox, $0, Int32(access.rawValue)) }) == 0 { continue }
            // What is not there, or not for us, is for the run to complain about.
            guard [ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG].contains(errno) else { throw Errno(rawValue: errno) }
        }
        // A report has the time of day, and the C library reads the time zone only once.
        tzset()
        guard sluice_enter_sandbox(&sandbox) == 0 else { throw Errno(rawValue: errno) }
    }

    private mutating func allow(_ access: Access, _ path: FilePath) {
        // The kernel adds up what it is told of a path. Of those that stand beside each other it is told once.
        if let index = allowed.indices.suffix(Self.few).last(where: { allowed[$0].path == path }) {
            allowed[index].access.formUnion(access)
        } else {
            allowed.append((path, access))
        }
    }

    /// Several files, which are reached through their folder; but those that are links lead elsewhere.
    private mutating func allow(_ files: [FilePath], in folder: FilePath) {
        // To look at ten thousand takes as long as the work on several hundred.
        if files.count > Self.few, !folder.withPlatformString(sluice_may_have_links) {
            allow(.read, folder)
            if files.contains(where: { settings.derivedName(of: $0) != nil }) { allow(.make, folder) }
            if removesSources { allow(.remove, folder) }
            return
        }
        for file in files {
            let entry = try? FileIdentity(at: file, followingLinks: false)
            allow(.read, entry?.kind ?? .file == .file ? folder : file)
            allowResults(of: file)
        }
    }

    /// What is in a folder, and what becomes of it there.
    private mutating func allowContents(of file: FilePath) {
        guard (try? FileIdentity(at: file))?.kind == .directory else { return }
        allow([.read, .list], file)
        if settings.output == .derived, settings.outputFolder == nil, settings.verb.activity.hasOutput {
            allow(.make, file)
        }
        if removesSources { allow(.remove, file) }
    }

    /// A folder that is not there yet is made in what is there.
    private mutating func allowOutputs(in folder: OutputFolder) {
        var path = folder.path
        while folder.isMirror, (try? FileIdentity(at: path)) == nil, path != path.folder { path = path.folder }
        allow(folder.isMirror ? making.union(.makeFolders) : making, path)
    }

    /// What becomes of an operand: a file that is named after it, and perhaps its removal.
    private mutating func allowResults(of file: FilePath) {
        if let output = settings.derivedName(of: file) { allowOutput(output) }
        guard removesSources else { return }
        let isLink = (try? FileIdentity(at: file, followingLinks: false))?.isSymbolicLink ?? false
        allow(isLink ? .removeLinks : .remove, file.folder)
    }

    /// What is no file is written in place; a file gets its name in its folder.
    private mutating func allowOutput(_ path: FilePath) {
        let existing = try? FileIdentity(at: path)
        let isInPlace = existing.map { $0.kind != .file || path.isOpenDescriptor } ?? false
        allow(isInPlace ? .write : making, isInPlace ? path : path.folder)
    }

    /// What is left there of an earlier run is read, and what is read back.
    private var making: Access {
        // A part that is made again has to be known as such, and parts of a content before it gets its name.
        let readsParts = settings.share != nil || settings.verb.heeds.contains(.marks)
        return settings.resumes || settings.readsBack || readsParts ? [.make, .read] : .make
    }

    private var removesSources: Bool {
        settings.removesSource && settings.output != .standardOutput && settings.verb.activity.hasOutput
    }
}
