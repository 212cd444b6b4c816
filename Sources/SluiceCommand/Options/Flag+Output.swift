import SluiceEngine

/// Options for the output, and for the source after the run.
extension Flag {
    static let output: [Flag] = [
        Flag(.output, .typed("FILE", "a file name", "data.zst", .file)) { settings, value in
            settings.output.destination = try value.destination(&settings.input.remote)
        }
        .letter("o")
        .help("Write to FILE, or to an object of a store: s3://BUCKET/KEY.")
        .manual(
            """
            An object is sent in parts, and is there only when all of it is right: after the last part, the checks, and \
            the exit status of --from-command. If the run fails or is interrupted before that, nothing remains of it; a \
            signal that comes while the store makes the object may be too late, and a message says so. An object of \
            that name is replaced only with -f, or after a yes to the question.
            """
        )
        .common("write to FILE")
        .zstd(
            "differs",
            "if one of several inputs can't be read, nothing is written: zstd writes the others, under a name that says it is complete",
            spelled: "`-o OUTPUT`"),
        Flag(.stdout) { $0.output.destination = .standardOutput }.letter("c")
            .help("Write to standard output.")
            .common("write to standard output")
            .zstd("same", "but compressed data goes to a terminal only with `-f`"),
        Flag(.outputDirFlat, .folder("backup")) { settings, path in
            // As in zstd, the other option wins if both are given.
            if settings.output.folder?.isMirror == true { return }
            settings.output.folder = OutputFolder(path: path, isMirror: false)
        }
        .help("Write all output files into DIR, which must exist.")
        .zstd("same"),
        Flag(.outputDirMirror, .folder("backup")) { $0.output.folder = OutputFolder(path: $1, isMirror: true) }
            .help("Write output files into DIR, in the directory structure of the input; DIR is made if it is missing.")
            .zstd("same"),
        Flag(.force) { $0.input.isForced = true }.letter("f")
            .help("Replace existing files, read devices and links, and write compressed data to a terminal.")
            .common("replace existing files")
            .zstd(
                "same",
                "an old file is replaced when the new one is complete, not removed before; under our own name, an operand is never replaced. Without it a question is asked; under our own name only if standard input is a terminal"
            ),
        Flag(.keep) { $0.output.isRemovalAsked = false }.letter("k").overrides(.rm)
            .help("Keep the source (default).")
            .zstd("same"),
        Flag(.rm) { $0.output.isRemovalAsked = true }
            .help("Delete the source once the output is complete and synced to disk.")
            .common("delete the source once the output is complete")
            .zstd("same", "only when the output is on the disk, and the source has not changed"),
        Flag(switch: .passThrough)
            .help("With -d: copy data in no known format unchanged (default with -c and -f together).")
            .applies(to: .passing)
            .zstd("same"),
        Flag(switch: .sparse) { $0.output.leavesHoles = $1 }
            .help("With -d: write long runs of zeros as holes (default for named files).")
            .zstd("same"),
        Flag(switch: .sync) { $0.output.isSynced = $1 }
            .help("Sync the output to disk before it gets its name (default).")
            .manual("Compressed output then bypasses the page cache."),
        Flag(.resume) { $0.output.resumes = true }
            .help("Continue an interrupted run that also used --resume; unfinished output is kept as .NAME.part.")
            .manual(
                """
                After a signal, a full disk or a power failure, the same command continues where the run stopped. The \
                unfinished output is checked first; of a file, -f starts over. Of an object of a store (-o s3://BUCKET/KEY) \
                the parts that it has are not sent again; .NAME.upload.note beside the source says which upload is \
                continued. One of another source or with other options is refused; with -f that of the same object is ended.
                """
            )
            .only(with: .resuming, hint: "--resume works on whole files")
            .takes(.oneNamed)
            .excludes(
                .singleFrame, .long, .max, .rsyncable, .adapt, .flushInterval,
                because: "only independent frames of equal size can be continued"
            )
            .excludes(
                .dictionary, .patchFrom, because: "only frames without a dictionary can be continued", when: .frames
            ),
        Flag(.onFull, .words { ["wait", "fail"] }) { $0.output.waitsWhenFull = $1 == "wait" }
            .help("When the disk is full, wait for space or fail (default: wait on a terminal, otherwise fail)."),
    ]
}

extension FlagValue {
    /// The value of -o.
    fileprivate func destination(_ remote: inout RemoteInputs) throws(Complaint) -> Destination {
        guard let bytes, URLParts.isMeant(by: bytes) else {
            let path = try path()
            return path == "-" ? .standardOutput : .path(path)
        }
        return .object(try remote.object(bytes))
    }
}
