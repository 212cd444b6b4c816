import Sluice

/// Where the data goes, and what becomes of its source.
extension Flag {
    static let output = Group(
        title: "Output",
        flags: [
            Flag("output", .file(), "Write to FILE.") { request, value in
                let path = try value.path()
                request.settings.output.destination = path == Operand.standardInput ? .standardOutput : .path(path)
            }
            .letter("o").common("write to FILE")
            .zstd(
                "differs",
                "if one of several inputs can't be read, nothing is written: zstd writes the others, under a name that says it is complete",
                spelled: "`-o OUTPUT`"),
            Flag("stdout", "Write to standard output.") { $0.settings.output.destination = .standardOutput }
                .letter("c").common("write to standard output")
                .zstd("same", "but compressed data goes to a terminal only with `-f`"),
            Flag("output-dir-flat", .folder, "Write all output files into DIR.") { request, value in
                // As with zstd, the other one holds where both are given.
                if request.settings.output.folder?.isMirror == true { return }
                request.settings.output.folder = OutputFolder(path: try value.path(), isMirror: false)
            }
            .zstd("same"),
            Flag("output-dir-mirror", .folder, "Write output files into DIR, in the directory structure of the input.")
            { $0.settings.output.folder = OutputFolder(path: try $1.path(), isMirror: true) }
            .zstd("same"),
            Flag(
                "force", "Replace existing files, read devices and links, write compressed data to a terminal."
            ) { $0.settings.isForced = true }
            .letter("f").common("replace existing files")
            .zstd(
                "same",
                "an old file is replaced when the new one is complete, not removed before; under our own name no file that is an operand, too. Without it a question is asked; under our own name only where standard input is a terminal"
            ),
            Flag("keep", "Keep the source (default).") { request in
                request.settings.output.removesSource = false
                request.forget("rm")
            }
            .letter("k").zstd("same"),
            Flag("rm", "Delete the source once the output is complete and synced to disk.") {
                $0.settings.output.removesSource = true
            }
            .common("delete the source once the output is complete").zstd(
                "same", "only when the output is on the disk, and the source has not changed"),
            Flag(
                switch: "pass-through", "With -d: copy data in no known format unchanged (default with -f and -c)."
            ) { $0.passThrough = $1 }
            .heeded(by: .passing).zstd("same"),
            Flag(
                switch: "sparse", "With -d: write long runs of zeros as holes (default for named files)."
            ) { $0.settings.output.leavesHoles = $1 }
            .zstd("same"),
            Flag(
                switch: "sync", "Sync the output to disk before it gets its name (default).",
                manual: """
                    Compressed output then bypasses the page cache.
                    """
            ) { $0.settings.output.isSynced = $1 },
            Flag(
                "resume",
                "Continue an interrupted run that also used --resume; unfinished output is kept as .NAME.part.",
                manual: """
                    After a signal, a full disk or a power failure, the same command continues where it stopped. What \
                    the earlier run left is checked; -f starts over.
                    """
            ) { $0.settings.output.resumes = true }
            .only(with: .resuming, hint: "--resume works on whole files")
            .takes(.oneNamed)
            .excludes(
                "single-frame", "long", "rsyncable", "adapt", "flush-interval",
                because: "only independent frames of one size can be continued"
            )
            .excludes(
                "dictionary", "patch-from", because: "only frames that refer to nothing can be continued", when: .frames
            ),
            Flag(
                "on-full", .words(FullDiskAnswer.self),
                "When the disk is full, wait for space or fail (default: wait on a terminal, otherwise fail)."
            ) { $0.settings.output.onFull = try $1.choice() },
        ])
}
