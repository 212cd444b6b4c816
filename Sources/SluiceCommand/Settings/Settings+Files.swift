import Glibc
import SluiceEngine

/// Which files are read and written, how outputs are named, and which files are left alone.
extension Settings {
    var activity: Activity { command.activity }

    /// The output name derived from a file's own; nil if there is none, or the suffix is unknown.
    func derivedName(of path: FilePath) -> FilePath? {
        guard output.destination == .derived, !path.isStandardInput else { return nil }
        var name = path
        if let location = input.remote[path] {
            // A file made from a remote one lies in the working directory.
            guard let last = location.fileName.flatMap({ FilePath.Component($0) }), last.kind == .regular else {
                return nil
            }
            name = FilePath(root: nil, [last])
        }
        // Anew, a.gz is made a.zst.
        if input.isDecoded {
            guard let content = FileName.decompressed(name) else { return nil }
            name = content
        }
        return command.outputName(of: name).map { output.folder?.place(of: $0) ?? $0 }
    }

    /// Whether an output is read before it gets its name.
    var readsOutput: Bool { verification.readsBack || input.isDecoded }

    /// Bytes of memory for one run; nil for what is available. With `--recompress`, two runs share what there is.
    var memoryOfRun: UInt64? {
        input.isDecoded ? MemoryLimit(limits.memory).limit.map { $0.bytes / 2 } : limits.memory
    }

    /// How content is decompressed, for output or a test.
    var decompression: Decompression {
        var decompression = Decompression(
            dictionary: references.decompressionDictionary, windowLimit: Int(clamping: decoding.windowLimit),
            verifiesChecksums: compression.options.hasChecksum)
        decompression.passesForeign = decoding.passesForeign
        decompression.comparesTable = !followsZstd
        return decompression
    }

    /// Decodes what is compressed anew. All checksums are verified: options for checksums and windows are about the
    /// output.
    var decodingJob: Job {
        var decompression = Decompression(
            dictionary: references.decompressionDictionary,
            windowLimit: limits.memory.map { Int(clamping: $0 / 2) })
        decompression.comparesTable = !followsZstd
        var job = Job(decompression, threads: limits.threads)
        job.splitsFrames = decoding.splitsFrames
        if let memory = memoryOfRun { _ = job.fit(into: memory, inputSize: nil, countsWindows: false) }
        return job
    }

    /// - Throws: the first option that needs operands which are files of this machine.
    func checkRemoteInputs() throws(Complaint) {
        if input.remote.isEmpty { return }
        try checkObject()
        guard let path = operands.first(where: { input.remote[$0] != nil }) else { return }
        if output.isRemovalAsked { throw Complaint(path, "--rm can't remove a file of a server") }
        if output.resumes { throw Complaint(path, "--resume needs a file of this machine") }
        if decoding.following != nil { throw Complaint(path, "--follow needs a file of this machine") }
        if output.folder?.isMirror == true {
            throw Complaint(path, "--output-dir-mirror needs files of this machine", hint: "use --output-dir-flat")
        }
        let isMadePart = command.part != nil && activity.content == .input
        if isMadePart || !command.optionGroups.isDisjoint(with: [.joining, .training, .measuring]) {
            throw Complaint(path, "--\(isMadePart ? "part" : activity.name) needs files of this machine")
        }
    }

    /// The name of an operand's output; nil for standard output, or if nothing is written.
    ///
    /// - Parameters:
    ///   - path: the operand's path; nil for standard input.
    ///   - source: the operand, once it is open: its content identifies a format that the suffix does not.
    func outputName(for path: FilePath?, source: Source? = nil) throws(Complaint) -> FilePath? {
        if !activity.hasOutput { return nil }
        switch output.destination {
        case .standardOutput: return nil
        case .path(let path), .object(let path): return path
        case .derived: break
        }
        guard let path, activity.content != .both else { return nil }
        if path.isOpenDescriptor {
            throw Complaint(
                path, "is an open descriptor, which gives no name for the output",
                hint: "name the output with -o, or use -c")
        }
        if output.folder?.isMirror == true, path.components.contains(where: { $0.kind == .parentDirectory }) {
            throw Complaint(
                path, "has .. in its path, which --output-dir-mirror can't reproduce",
                hint: "use --output-dir-flat")
        }
        if let name = derivedName(of: path) { return name }
        if let format = source.flatMap({ CompressedInput($0).foreignFormat }), !format.isRead {
            throw Complaint(.foreign(.notRead(format)), source: path)
        }
        throw Complaint(
            path, "unknown suffix, expected one of \(FileName.knownSuffixes.joined(separator: " "))",
            hint: "name the output with -o, or use -c")
    }

    /// Whether standard input is all that is read. A list may not have been read yet; one without names is an error.
    var readsOnlyStream: Bool {
        operands.isEmpty ? input.fileLists.isEmpty : operands == [Operand.standardInput]
    }

    /// Whether several files may be made. One operand makes one; `Output` refuses to write over its source.
    var mayMakeSeveral: Bool { operands.count > 1 || walks }

    /// Whether data goes to standard output, if the command writes any.
    var goesToStandardOutput: Bool { goesToStandardOutput(ofStream: readsOnlyStream) }

    /// - Parameter isStream: whether the data comes from standard input.
    func goesToStandardOutput(ofStream isStream: Bool) -> Bool {
        output.destination == .standardOutput
            || output.destination == .derived && (isStream || activity.content == .both)
    }

    /// Whether operands are outputs of other operands, and processed in zstd's way: `zstd -f *` makes `x.zst` again
    /// from x, and then `x.zst.zst` from that.
    ///
    /// This is only for zstd's names with `-f`. With `--rm` it would lose a source; with sluice's own name it is a
    /// mistake.
    var isChain: Bool {
        guard followsZstd, isForced, !output.isRemovalAsked, activity.hasOutput, operands.count > 1 else {
            return false
        }
        let read = Set(operands.map { $0.lexicallyNormalized() })
        return operands.contains { derivedName(of: $0).map { read.contains($0.lexicallyNormalized()) } ?? false }
    }

    /// Whether the data is compressed, and so not for a terminal.
    var refusesTerminals: Bool { activity.content == .input && !isForced }

    /// Whether `--rm` removes sources: those of output files.
    var removesSources: Bool {
        output.isRemovalAsked && activity.hasOutput && output.destination != .standardOutput
    }

    /// Why a file that the run reads beside its operands must not be replaced; nil for any other file.
    func objection(to file: FileIdentity) -> String? {
        if references.contain(file) { return "is the dictionary or reference of this run: not replaced" }
        func isFile(_ path: FilePath) -> Bool { Operand.identity(of: path)?.isSameFile(as: file) == true }
        if limits.rate?.file.map(isFile) == true { return "sets the rate of this run: not replaced" }
        return input.fileLists.contains(where: isFile) ? "is the list of files: not replaced" : nil
    }

    /// Opens the file that `--append` extends.
    mutating func openGrowingFile() throws(Complaint) {
        guard command.optionGroups.contains(.growing), let path = output.destination.path else { return }
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
        output.growing = try Complaint.about(
            source: path, AppendedFile(descriptor, named: path, addingWith: compression.options))
    }

    /// Adds the operands that lists name; or standard input if there are none, unless the command needs files or has
    /// its own data.
    ///
    /// - Throws: why a list can't be read.
    mutating func completeOperands() throws(Complaint) {
        for list in input.fileLists {
            operands += try FileList.names(in: list) { name throws(Complaint) in try input.remote.path(of: name) }
        }
        let takesStream = command.optionGroups.isDisjoint(with: [.joining, .training, .measuring])
        if operands.isEmpty, takesStream { operands = [Operand.standardInput] }
        walks = input.isRecursive && operands.contains(where: input.isFolder)
    }
}
