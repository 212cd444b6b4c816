import SluiceEngine

/// Looks up options by name.
extension Flag {
    /// The options of each subject under its heading, in the order of the help.
    static var groups: [(title: String, flags: [Flag])] { subjects.map { ($0, $1()) } }

    static var all: [Flag] { groups.flatMap(\.flags) }

    /// Each group is made when something is looked for in it: making all of them takes longer than a small file.
    private static let subjects: [(title: String, flags: @Sendable () -> [Flag])] = [
        ("Operations", { operations }), ("Compression", { compressing }), ("Input", { input }), ("Output", { output }),
        ("Servers", { servers }),
        ("Limits", { limits }), ("Progress and reports", { reporting }), ("Ranges", { ranges }),
        ("Members of a tar", { members }),
        ("Verification", { verification }), ("Recovery", { recovery }), ("Many machines", { machines }),
        ("Dictionaries", { dictionaries }), ("Compatibility with zstd", { compatibility }), ("Advanced", { advanced }),
    ]

    static func named(_ name: some Collection<UInt8>) -> (Flag, isOn: Bool)? {
        if let flag = first(where: { $0.isNamed(name) }) { return (flag, true) }
        guard name.starts(with: "no-".utf8) else { return nil }
        return first { $0.isNegatable && $0.isNamed(name.dropFirst(3)) }.map { ($0, false) }
    }

    static func called(_ name: Name) -> Flag? { first { $0.key == name } }

    static func lettered(_ letter: UInt8) -> Flag? { first { $0.letter == letter } }

    /// Searches the declarations in place: copying each would cost more than all the rest.
    private static func first(where isWanted: (borrowing Flag) -> Bool) -> Flag? {
        for (_, flags) in subjects {
            let flags = flags()
            if let index = flags.firstIndex(where: isWanted) { return flags[index] }
        }
        return nil
    }

    private func isNamed(_ bytes: some Collection<UInt8>) -> Bool {
        name.utf8.elementsEqual(bytes) || aliases.contains { $0.utf8.elementsEqual(bytes) }
    }

    var shortSpelling: String? { letter.map { "-" + String(decoding: [$0], as: UTF8.self) } }

    /// All long names, as they are typed after two dashes.
    var longNames: [String] {
        let positive = [name] + aliases
        return positive + (isNegatable ? positive.map { "no-" + $0 } : [])
    }

    /// The error for an unknown option, with the nearest known one as a hint.
    static func unknown(_ word: String) -> Complaint {
        let sentence = "unknown option \(word.withoutSecrets.printable)"
        let name = String(word.dropFirst(2))
        let nearest = (foreign[name] ?? nearest(to: name).map { "--" + $0 }).map { "did you mean \($0)?" }
        return .usage(sentence, hint: nearest ?? "sluice --help lists the options")
    }

    /// What gzip and xz have for an option of ours that is called otherwise.
    private static let foreign = ["best": "-19", "extreme": "--max", "to-stdout": "-c"]

    /// The option that begins with the word, or else one whose name differs by one letter, but not by the first.
    private static func nearest(to word: String) -> String? {
        // The time of a comparison grows with the square of the length.
        guard (3...40).contains(word.count) else { return nil }
        let names = all.flatMap(\.longNames).sorted()
        let longer = names.filter { $0.hasPrefix(word) }
        let similar = names.filter { word.count > 3 && $0.first == word.first && $0.difference(from: word).count <= 2 }
        return (longer.isEmpty ? similar : longer).min {
            $0.difference(from: word).count < $1.difference(from: word).count
        }
    }
}

/// Options for the files that are read.
extension Flag {
    static let input: [Flag] = [
        Flag(.recursive) { $0.input.isRecursive = true }.letter("r")
            .help("Process directories recursively; follow symbolic links only with -f.")
            .common("process directories recursively")
            .manual(
                """
                Where outputs lie beside their sources, files that are compressed already are left out and counted; with \
                -d, those without a known suffix.
                """
            )
            .zstd("same", "what an earlier run has done is left out, but not under zstd's names", spelled: "`-r`"),
        Flag(.filelist, .file("names.txt")) { $0.input.fileLists.append($1) }
            .help("Also read file names from FILE, or from standard input with -.")
            .manual("One name per line, or names that end in NUL.")
            .zstd("same", "names may end in NUL", spelled: "`--filelist LIST`"),
        Flag(.follow, .words(FollowedUntil.self).or(FollowedUntil.name.rawValue)) { $0.decoding.following = $1 }
            .help(
                "With -d: wait for what is still written to FILE, and for other files under its name, as tail -F does."
            )
            .manual(
                """
                The content goes to standard output as it comes, from the start, or from --tail or --tail-lines on, \
                until a signal such as that of Ctrl-C ends it; a second one does not wait for what has come. A frame \
                that is not complete yet is waited for. With --follow=stream, it ends where the stream does, with its \
                seek table, and stays with the file if that gets another name. It waits forever at the end of a file \
                without a seek table, and a file that is truncated before its end is an error.
                """
            )
            .only(with: .following)
            .takes(.oneNamed)
            .excludes(.output, because: "a file gets its name only at the end", hint: "write to > FILE")
            .excludes(
                .outputDirFlat, .outputDirMirror, because: "a file gets its name only at the end",
                hint: "write to > FILE"
            )
            .excludes(
                .offset, .length, .range, .index, because: "what is followed has no end that ranges could lie before"
            )
            .excludes(.member, .members, because: "members are found in a complete archive")
            .excludes(.part, because: "only a complete file has shares")
            .excludes(.recover, because: "what is missing may still come")
            .excludes(.resume, because: "standard output can't be continued")
            .excludes(.hash, because: "there is no end at which it would be known", hint: "use a pipe: | sha256sum")
            .excludes(.rm, because: "the file is still being written")
            .excludes(.bufferStart, because: "what has come is written at once")
            .excludes(.ignoreZeros, because: "only Zstandard can be followed"),
        Flag(.fromCommand)
            .help("Run the command after --, and read its output; the file gets its name only if it exits with 0.")
            .manual(
                """
                If the command fails, nothing is created or replaced, and the exit code is 1; with -c the compressed \
                stream has no end, so that a reader finds it truncated. The command reads standard input, and writes to \
                standard error. Signals are passed on to it. If sluice fails, it gets SIGTERM, and SIGKILL after two \
                seconds. What it leaves in the background is not waited for.
                """
            )
            .only(with: .inputCommand)
            .excludes(.recursive, .filelist, because: "the command's output is the input")
            .excludes(.resume, because: "a command starts from its beginning"),
        Flag(
            .acceptStatus,
            Argument<FlagValue>.typed("N[,N]", "exit statuses, 1 to 255", "1").map(or: "exit statuses, 1 to 255") {
                $0.statuses
            }
        ) {
            $0.input.acceptedStatuses.formUnion($1)
        }
        .help("With --from-command: these exit statuses are a success, too.")
        .manual("GNU tar exits with 1 if a file changed while it was read. A signal is never a success.")
        .needs(.fromCommand),
        Flag(.excludeCompressed) { $0.input.excludesCompressed = true }
            .help("Skip files whose suffix marks them as already compressed.")
            .zstd("same", "the suffixes of 1.5.5 and later"),
        Flag(.streamSize, .size()) { $0.input.streamSize = $1 > 0 ? $1 : nil }
            .help("Size of standard input, for the progress bar and the frame header.")
            .manual("It is an error if an input to compress or copy has another size.")
            .zstd("same", "another number of bytes is an error", spelled: "`--stream-size=#`"),
        Flag(.sizeHint, .size()) { $0.input.sizeHint = $1 > 0 ? $1 : nil }
            .help("About how large standard input or the output of a command is, for percentage and time left.")
            .manual(
                """
                Both are then marked with ~, and the percentage stops at 99. For a tar of a directory, \
                --size-hint=$(du -sb DIR | cut -f1) will do. No byte of the output depends on it.
                """
            )
            .zstd(
                "for the progress bar", "parameters depend on the data that arrives", spelled: "`--size-hint=#`"),
    ]
}
