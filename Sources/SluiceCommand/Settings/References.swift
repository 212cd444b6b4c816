import Sluice
import SystemPackage
import ZstdCodec

/// What frames refer to beside their own content: the dictionary of `-D`, or the file that a difference is made to.
///
/// It is read before the process confines itself, and digested once: all workers share it, for all files.
struct References: Sendable {
    /// The files that are named.
    var dictionaryFile: FilePath?
    /// What a difference is made to, or was.
    var patchFile: FilePath?

    private(set) var compression: CompressionDictionary?
    private(set) var decompression: DecompressionDictionary?
    /// What a frame is the difference to.
    private(set) var patchSource: HeldContent?
    /// The dictionary as it was read.
    private(set) var dictionary: HeldContent?
    /// The file that gets more frames.
    private(set) var growing: GrowingFile?
    /// The file that was read, which must not be lost.
    private var identity: FileIdentity?

    init() {}

    /// Reads what the settings name, if they name anything.
    ///
    /// - Throws: why it can't be read, or is no dictionary.
    init(for operands: [FilePath], _ settings: Settings) throws(Complaint) {
        self = settings.references
        if settings.command.heeds.contains(.growing) { growing = try Self.growing(settings) }
        let content = settings.command.activity.content
        guard content != .both, let path = settings.references.dictionaryFile ?? settings.references.patchFile else {
            return
        }
        if settings.references.patchFile != nil, settings.walks(operands) {
            throw Complaint(
                "--patch-from takes one file, and no directories", hint: "run it once per file, for example in a loop")
        }
        if settings.references.patchFile != nil, operands.count > 1 {
            throw Complaint(
                "--patch-from takes one file, and there are \(operands.count)",
                hint: "run it once per file, for example in a loop")
        }
        let descriptor = try Self.open(path, settings)
        defer { try? descriptor.close() }
        try Complaint.about(source: path, target: path) { () throws(Failure) in
            let source = try Source(descriptor)
            identity = source.identity
            if settings.references.patchFile == nil {
                try digest(source, settings)
            } else {
                try hold(source)
            }
        }
    }

    /// Opens the file that is added to.
    private static func growing(_ settings: Settings) throws(Complaint) -> GrowingFile? {
        guard case .path(let path) = settings.output.destination else { return nil }
        let kind = (try? FileIdentity(at: path, followingLinks: false)).map { $0.isSymbolicLink ? .other : $0.kind }
        if let kind, kind != .file {
            throw Complaint(
                path, "is not a file that --append can add to", hint: "name the file itself, not a link to it")
        }
        let descriptor: FileDescriptor?
        do throws(Errno) { descriptor = try Operand(path).open(isLink: false) } catch .noSuchFileOrDirectory {
            descriptor = nil
        } catch {
            throw Complaint(path, "can't open: \(error.sentence)")
        }
        return try Complaint.about(source: path, target: path) { () throws(Failure) in
            try GrowingFile(descriptor, named: path, addingWith: settings.compression.options)
        }
    }

    private static func open(_ path: FilePath, _ settings: Settings) throws(Complaint) -> FileDescriptor {
        do throws(Errno) { return try Operand(path).open(isLink: true) } catch {
            let hint =
                settings.references.patchFile == nil
                ? "-D takes a dictionary file" : "--patch-from takes the old file"
            throw Complaint(path, "can't open: \(error.sentence)", hint: hint)
        }
    }

    private mutating func digest(_ source: Source, _ settings: Settings) throws(Failure) {
        let content = try HeldContent(of: source, limit: CompressionDictionary.sizeLimit)
        dictionary = content
        do throws(CodecFailure) {
            // What is empty says nothing, and is no mistake for zstd.
            if content.bytes.isEmpty { return }
            if settings.command.activity.content == .input {
                var options = settings.compression.options
                if settings.compression.isStrongest { options.maximize(contentSize: nil) }
                compression = try Self.digest(content, for: options)
            }
            if settings.command.activity.content == .output || settings.proof.verifiesFrames || settings.proof.readsBack
            {
                decompression = try content.withUnsafeBytes { bytes throws(CodecFailure) in
                    try DecompressionDictionary(bytes)
                }
            }
        } catch {
            throw .codec(error)
        }
    }

    private static func digest(
        _ content: HeldContent, for options: CompressionOptions
    ) throws(CodecFailure) -> CompressionDictionary {
        try content.withUnsafeBytes { bytes throws(CodecFailure) in try CompressionDictionary(bytes, for: options) }
    }

    /// The dictionary for other options than those of the command line; nil if there is none.
    func compression(for options: CompressionOptions) throws(Failure) -> CompressionDictionary? {
        guard let dictionary, !dictionary.bytes.isEmpty else { return nil }
        do throws(CodecFailure) { return try Self.digest(dictionary, for: options) } catch { throw .codec(error) }
    }

    private mutating func hold(_ source: Source) throws(Failure) {
        let limit = CompressionOptions.referenceLimit
        if let size = source.size, size > limit { throw .codec(.tooLargeForReference(bytes: size, limit: limit)) }
        let content = try HeldContent(of: source, limit: limit)
        patchSource = content
        if !content.bytes.isEmpty { decompression = DecompressionDictionary(reference: content) }
    }

    /// Whether a file is what the frames refer to: without it they are lost.
    func contain(_ file: FileIdentity) -> Bool {
        file.kind == .file && identity.map { $0.isSameFile(as: file) } ?? false
    }
}
