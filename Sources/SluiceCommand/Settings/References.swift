import Glibc
import Sluice

/// Content that frames refer to: the dictionary of `-D`, or the old file of a patch.
///
/// It is read before the sandbox starts, and digested once for all workers and files.
struct References: Sendable {
    var dictionaryFile: FilePath?
    var patchFile: FilePath?

    private(set) var compression: CompressionDictionary?
    private(set) var decompression: DecompressionDictionary?
    /// The old file's content, for making a patch.
    private(set) var patchSource: HeapMemory?
    private(set) var dictionary: HeapMemory?
    /// A warning about a dictionary that zstd did not train: any file is accepted as one.
    var warning: String? {
        guard let dictionaryFile, (compression?.identifier ?? decompression?.identifier) == 0 else { return nil }
        return "\(dictionaryFile.printable): is no trained dictionary: all of its content is used as one"
    }
    /// The file that `--append` extends.
    private(set) var growing: GrowingFile?
    /// The dictionary or old file, which must not be overwritten.
    private var identity: FileIdentity?

    init() {}

    /// Reads the files that the settings name.
    ///
    /// - Throws: why a file can't be read or used.
    init(for settings: Settings) throws(Complaint) {
        self = settings.references
        if settings.command.heeds.contains(.growing), let path = settings.output.destination.path {
            growing = try Self.growing(path, settings)
        }
        guard settings.activity.content != .both, let path = dictionaryFile ?? patchFile else { return }
        let isPatch = patchFile != nil
        if isPatch, settings.mayMakeSeveral {
            let fault = settings.walks ? "not directories" : "not \(settings.operands.count)"
            throw Complaint(
                "--patch-from takes one file, \(fault)", hint: "run it once per file, for example in a loop")
        }
        let hint = isPatch ? "--patch-from takes the old file" : "-D takes a dictionary file"
        let descriptor = try AuxiliaryFile.open(path, cant: "open", hint: hint)
        defer { try? descriptor.close() }
        let source = try Complaint.about(source: path, Source(descriptor))
        identity = source.identity
        try Complaint.about(source: path, isPatch ? hold(source) : digest(source, settings))
    }

    /// Opens the file that `--append` extends.
    private static func growing(_ path: FilePath, _ settings: Settings) throws(Complaint) -> GrowingFile {
        if let existing = try? FileIdentity(at: path, followingLinks: false), existing.kind != .file {
            throw Complaint(
                path, "is not a file that --append can add to",
                hint: existing.isSymbolicLink ? "name the file itself, not a link to it" : nil)
        }
        let descriptor: FileDescriptor?
        do throws(Errno) { descriptor = try Operand(path).open(isLink: false, O_NONBLOCK) } catch .noSuchFileOrDirectory
        {
            descriptor = nil
        } catch {
            throw Complaint(path, "can't open: \(error.sentence)")
        }
        return try Complaint.about(
            source: path, GrowingFile(descriptor, named: path, addingWith: settings.compression.options))
    }

    private mutating func digest(_ source: Source, _ settings: Settings) throws(Failure) {
        let content = try HeapMemory(contentOf: source, limit: UInt64(CompressionDictionary.sizeLimit))
        dictionary = content
        // Like zstd, accept an empty file, which has no effect.
        if content.bytes.isEmpty { return }
        if settings.activity.content == .input {
            var options = settings.compression.options
            if settings.compression.isStrongest { options.maximize(contentSize: nil) }
            compression = try compression(for: options)
        }
        let verification = settings.verification
        if settings.activity.content == .output || verification.verifiesFrames || verification.readsBack {
            decompression = try content.withUnsafeBytes { bytes throws(Failure) in
                try DecompressionDictionary(RawSpan(_unsafeBytes: bytes))
            }
        }
    }

    /// Digests the dictionary for other options than those of the command line; nil if there is none.
    func compression(for options: CompressionOptions) throws(Failure) -> CompressionDictionary? {
        guard let dictionary, !dictionary.bytes.isEmpty else { return nil }
        return try dictionary.withUnsafeBytes { bytes throws(Failure) in
            try CompressionDictionary(RawSpan(_unsafeBytes: bytes), for: options)
        }
    }

    private mutating func hold(_ source: Source) throws(Failure) {
        let limit = CompressionOptions.referenceLimit
        if let size = source.size, size > limit { throw .codec(.tooLargeForReference(bytes: size, limit: limit)) }
        let content = try HeapMemory(contentOf: source, limit: limit)
        patchSource = content
        if !content.bytes.isEmpty { decompression = DecompressionDictionary(reference: content) }
    }

    /// Whether the file is the dictionary or the old file, without which the frames can't be decoded.
    func contain(_ file: FileIdentity) -> Bool {
        file.kind == .file && identity.map { $0.isSameFile(as: file) } ?? false
    }
}
