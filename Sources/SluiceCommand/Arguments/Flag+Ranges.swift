import Sluice

/// Which part of the content is decompressed.
extension Flag {
    static let ranges = Group(
        title: "Ranges",
        flags: [
            Flag(
                "offset", .text("N", "a number of bytes", "10M"),
                "With -d: skip this many bytes of the content; -10M starts that far before its end.",
                manual: """
                    The output is standard output, or -o FILE. Only the frames that hold the range are read, if a seek \
                    table or the headers of frames tell where they are; otherwise, and from a pipe, everything up to the \
                    last byte is decoded, and -v says so.
                    """
            ) {
                $0.offset =
                    $1.text.first == "-"
                    ? .beforeEnd(try $1.size(String($1.text.dropFirst()))) : .offset(try $1.size())
            }
            .excludes("tail", "range", because: "they name different ranges", hint: "--range takes several ranges")
            .asRange(),
            Flag("length", .size("N", "1M"), "With -d: write this many bytes, from --offset or the start.") {
                $0.length = try $1.size()
            }
            .excludes("tail", "range", because: "they name different ranges", hint: "--range takes several ranges")
            .asRange(),
            Flag("tail", .size("N", "10M"), "With -d: write the last N bytes of the content.") {
                $0.settings.decoding.ranges = [.last(try $1.size())]
            }
            .excludes("range", because: "they name different ranges", hint: "--range takes several ranges")
            .asRange(),
            Flag(
                "range", .text("A-B", "bytes", "0-99"),
                "With -d: write bytes A to B, counted from 0, B included: A-B, A- or -N for the last N.",
                manual: """
                    As in HTTP. Several ranges, separated by commas or given in several options, are written in their \
                    order.
                    """
            ) { request, value in
                for word in value.text.split(separator: ",", omittingEmptySubsequences: false) {
                    request.settings.decoding.ranges.append(try value.range(String(word)))
                }
            }
            .asRange(),
            Flag(
                "index", .file(), "With a range: keep the positions of frames in FILE, and read them next time.",
                manual: """
                    It helps where only decoding everything tells where frames are. An index of another file is \
                    refused; -f replaces it.
                    """
            ) { $0.settings.decoding.indexFile = try $1.path() }
            .needs("offset", "length", "tail", "range", or: "--index needs --offset, --length, --tail or --range")
            .asRange(),
        ])

    /// What is true of all that say which part.
    private func asRange() -> Flag {
        only(with: .ranges)
            .takes(.one)
            .excludes("part", "recover", because: "a range is only a part of the content")
            .excludes("hash", because: "the hash would be shown for the whole file", hint: "use a pipe: | sha256sum")
            .excludes("rm", because: "the source holds more than the output", hint: "leave --rm out")
            .excludes(
                "output-dir-flat", "output-dir-mirror", because: "a range is not named after its source",
                hint: "name the output with -o FILE")
    }
}

extension FlagValue {
    /// Numbers of bytes, whose end is included: `A-B`, `A-` and `-N`.
    fileprivate func range(_ word: String) throws(UsageError) -> ContentRange {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard ends.count == 2, ends != ["", ""] else { throw mistake("bytes such as 0-99, 100- or -100", word) }
        if ends[0].isEmpty { return .last(try size(ends[1])) }
        let first = try size(ends[0])
        if ends[1].isEmpty { return ContentRange(.offset(first)) }
        let last = try size(ends[1])
        guard first <= last, last < .max else { throw UsageError("\(spelling) \(word) ends before it starts") }
        return ContentRange(.offset(first), count: last - first + 1)
    }
}
