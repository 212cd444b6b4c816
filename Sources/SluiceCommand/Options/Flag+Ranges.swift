import SluiceEngine

/// Options that decompress only a part of the content.
extension Flag {
    private static let otherRanges = "they name different ranges"
    private static let severalRanges = "--range takes several ranges"

    static let ranges: [Flag] = [
        Flag(.offset, .typed("N", "a number of bytes", "10M")) { settings, typed in
            let range = ContentRange(try typed.start(), count: settings.decoding.ranges.first?.count)
            settings.decoding.ranges = [range]
        }
        .help("With -d: skip this many bytes of the content; -10M starts that far before its end.")
        .manual(
            """
            The output is standard output, or -o FILE. Only the frames that hold the range are read, if a seek \
            table or the headers of frames tell where they are; otherwise, and from a pipe, everything up to the \
            end of the range is decoded, and -v says so. What is counted from the end of a pipe is held in memory.
            """
        )
        .excludes(.tail, .range, because: otherRanges, hint: severalRanges)
        .asRange(),
        Flag(.length, .size("N", "1M")) { settings, count in
            let start = settings.decoding.ranges.first?.start ?? .offset(0)
            settings.decoding.ranges = [ContentRange(start, count: count)]
        }
        .help("With -d: write this many bytes, from --offset or the start.")
        .excludes(.tail, .range, because: otherRanges, hint: severalRanges)
        .asRange(),
        Flag(.tail, .size("N", "10M")) { $0.decoding.ranges = [ContentRange(.beforeEnd($1))] }
            .help("With -d: write the last N bytes of the content.")
            .excludes(.range, because: otherRanges, hint: severalRanges)
            .asRange(),
        Flag(.tailLines, .number("N", "a number of lines", "100")) { $0.decoding.tailLines = $1 }
            .help("With -d: write the last N lines of the content; with --lines=0, those that end in NUL bytes.")
            .manual("Only the last frames are decoded, until there are enough lines.")
            .excludes(.offset, .length, .tail, .range, because: otherRanges)
            .excludes(.index, because: "lines are found only in a file whose frames are")
            .asRange(),
        Flag(.range, .typed("A-B", "bytes", "0-99")) { $0.decoding.ranges += try $1.ranges() }
            .help("With -d: write bytes A to B, counted from 0, B included: A-B, A- or -N for the last N.")
            .manual(
                """
                As in HTTP. Several ranges, separated by commas or given in several options, are written in the \
                order given.
                """
            )
            .asRange(),
        Flag(.index, .file("data.index")) { $0.decoding.indexFile = $1 }
            .help("With a range or members: keep the positions of frames in FILE, and read them next time.")
            .manual(
                """
                Useful where frames can be found only by decoding everything; if the file itself tells where they are, \
                FILE is neither read nor written. An index of another file is refused; -f replaces it.
                """
            )
            .needs(.offset, .length, .tail, .range, .member, .members)
            .asRange()
            .takes(.oneNamed)
            .alsoWorks(with: "-l --members"),
    ]

    /// Adds what all options for ranges have in common.
    private consuming func asRange() -> Flag {
        only(with: .ranges)
            .excludes(.part, .recover, because: "a range is only a part of the content")
            .asExcerpt("a range")
    }

    /// Adds what options for ranges and for members have in common.
    consuming func asExcerpt(_ noun: String) -> Flag {
        takes(.one)
            .excludes(.resume, because: "only a whole file can be continued")
            .excludes(.hash, because: "it would look like the hash of the whole file", hint: "use a pipe: | sha256sum")
            .excludes(.rm, because: "the source holds more than the output", hint: "leave --rm out")
            .excludes(
                .outputDirFlat, .outputDirMirror, because: "\(noun) is not named after its source",
                hint: "name the output with -o FILE")
    }
}

extension FlagValue {
    /// A place in the content; after a minus, counted from its end.
    fileprivate func start() throws(Complaint) -> ContentRange.Start {
        text.first == "-" ? .beforeEnd(try size(String(text.dropFirst()))) : .offset(try size())
    }

    /// Ranges with commas between them.
    fileprivate func ranges() throws(Complaint) -> [ContentRange] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { word throws(Complaint) in
            try range(String(word))
        }
    }

    /// Numbers of bytes, whose end is included: `A-B`, `A-` and `-N`.
    private func range(_ word: String) throws(Complaint) -> ContentRange {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard ends.count == 2, ends != ["", ""] else { throw mistake("bytes such as 0-99, 100- or -100", word) }
        if ends[0].isEmpty { return ContentRange(.beforeEnd(try size(ends[1]))) }
        let first = try size(ends[0])
        if ends[1].isEmpty { return ContentRange(.offset(first)) }
        let last = try size(ends[1])
        guard first <= last, last < .max else { throw .usage("\(spelling) \(word) ends before it starts") }
        return ContentRange(.offset(first), count: last - first + 1)
    }
}
