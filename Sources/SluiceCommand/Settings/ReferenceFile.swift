import SluiceEngine

/// The file that frames refer to: the dictionary of `-D`, or the old file of a patch.
///
/// It is read before the sandbox starts, and digested once for all workers and files.
enum ReferenceFile: Sendable {
    case none
    /// A dictionary; without its content until that is read.
    case dictionary(FilePath, DictionaryContent? = nil)
    /// The old file of a patch; without its content until that is read.
    case patch(FilePath, PatchContent? = nil)

    struct DictionaryContent: Sendable {
        fileprivate let identity: FileIdentity
        fileprivate let memory: HeapMemory
        /// Nil if nothing is compressed, or the file is empty.
        fileprivate var compression: CompressionDictionary?
        /// Nil if nothing is decompressed, not even to verify it, or the file is empty.
        fileprivate var decompression: DecompressionDictionary?
    }

    struct PatchContent: Sendable {
        fileprivate let identity: FileIdentity
        fileprivate let memory: HeapMemory
        /// Nil if the file is empty.
        fileprivate let decompression: DecompressionDictionary?
    }

    var dictionaryFile: FilePath? { if case .dictionary(let path, _) = self { path } else { nil } }
    var patchFile: FilePath? { if case .patch(let path, _) = self { path } else { nil } }
    var dictionaryContent: HeapMemory? { if case .dictionary(_, let content) = self { content?.memory } else { nil } }
    /// The old file's content, for making a patch.
    var patchContent: HeapMemory? { if case .patch(_, let content) = self { content?.memory } else { nil } }
    var compressionDictionary: CompressionDictionary? {
        if case .dictionary(_, let content) = self { content?.compression } else { nil }
    }

    /// What decodes frames that refer to the file.
    var decompressionDictionary: DecompressionDictionary? {
        switch self {
        case .none: nil
        case .dictionary(_, let content): content?.decompression
        case .patch(_, let content): content?.decompression
        }
    }

    /// A warning about a dictionary that zstd did not train: any file is accepted as one.
    var warning: String? {
        guard let dictionaryFile,
            (compressionDictionary?.identifier ?? decompressionDictionary?.identifier) == 0
        else { return nil }
        return "\(dictionaryFile.printable): is no trained dictionary: all of its content is used as one"
    }

    /// Whether the file is the dictionary or the old file, without which the frames can't be decoded.
    func contain(_ file: FileIdentity) -> Bool {
        let identity: FileIdentity? =
            switch self {
            case .none: nil
            case .dictionary(_, let content): content?.identity
            case .patch(_, let content): content?.identity
            }
        return file.kind == .file && identity.map { $0.isSameFile(as: file) } ?? false
    }

    /// Digests the dictionary for other options than those of the command line; nil if there is none.
    func compressionDictionary(for options: CompressionOptions) throws(Failure) -> CompressionDictionary? {
        try dictionaryContent.flatMap { content throws(Failure) in try Self.digest(content, for: options) }
    }
}

extension ReferenceFile {
    /// Reads the file that the settings name.
    ///
    /// - Throws: why it can't be read or used.
    init(for settings: Settings) throws(Complaint) {
        self = settings.references
        if settings.activity.content == .both { return }
        switch self {
        case .none: break
        case .dictionary(let path, _):
            self = .dictionary(
                path,
                try Self.read(path, hint: "-D takes a dictionary file") { source throws(Failure) in
                    try Self.readDictionary(source, settings)
                })
        case .patch(let path, _):
            if settings.mayMakeSeveral {
                let fault = settings.walks ? "not directories" : "not \(settings.operands.count)"
                throw Complaint(
                    "--patch-from takes one file, \(fault)", hint: "run it once per file, for example in a loop")
            }
            self = .patch(path, try Self.read(path, hint: "--patch-from takes the old file", Self.readPatch))
        }
    }

    private static func read<Content>(
        _ path: FilePath, hint: String, _ read: (Source) throws(Failure) -> Content
    ) throws(Complaint) -> Content {
        let descriptor = try AuxiliaryFile.open(path, cant: "open", hint: hint)
        defer { try? descriptor.close() }
        let source = try Complaint.about(source: path, Source(descriptor))
        return try Complaint.about(source: path, read(source))
    }

    private static func readDictionary(_ source: Source, _ settings: Settings) throws(Failure) -> DictionaryContent {
        let memory = try HeapMemory(contentOf: source, limit: UInt64(CompressionDictionary.sizeLimit))
        var content = DictionaryContent(identity: source.identity, memory: memory)
        if settings.activity.content == .input {
            var options = settings.compression.options
            if settings.compression.isStrongest { options.maximize(contentSize: nil) }
            content.compression = try digest(memory, for: options)
        }
        let verification = settings.verification
        if settings.activity.content == .output || verification.verifiesFrames || settings.readsOutput,
            !memory.bytes.isEmpty
        {
            content.decompression = try memory.withUnsafeBytes { bytes throws(Failure) in
                try DecompressionDictionary(RawSpan(_unsafeBytes: bytes))
            }
        }
        return content
    }

    /// - Returns: nil for an empty file, which is accepted and has no effect, as in zstd.
    private static func digest(
        _ memory: HeapMemory, for options: CompressionOptions
    ) throws(Failure) -> CompressionDictionary? {
        if memory.bytes.isEmpty { return nil }
        return try memory.withUnsafeBytes { bytes throws(Failure) in
            try CompressionDictionary(RawSpan(_unsafeBytes: bytes), for: options)
        }
    }

    private static func readPatch(_ source: Source) throws(Failure) -> PatchContent {
        let limit = CompressionOptions.referenceLimit
        if let size = source.size, size > limit { throw .codec(.tooLargeForReference(bytes: size, limit: limit)) }
        let memory = try HeapMemory(contentOf: source, limit: limit)
        return PatchContent(
            identity: source.identity, memory: memory,
            decompression: memory.bytes.isEmpty ? nil : DecompressionDictionary(reference: memory))
    }
}
