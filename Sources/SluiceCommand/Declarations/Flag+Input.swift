/// Options for the files that are read.
extension Flag {
    static let input: [Flag] = [
        Flag("recursive") { $0.input.isRecursive = true }.letter("r")
            .help("Process directories recursively; follow symbolic links only with -f.")
            .common("process directories recursively")
            .zstd("same", spelled: "`-r`"),
        Flag("filelist", .file()) { $0.input.fileLists.append($1) }
            .help("Also read file names from FILE, or from standard input with -.")
            .manual("One name per line, or names that end in NUL.")
            .zstd("same", "names may end in NUL", spelled: "`--filelist LIST`"),
        Flag("exclude-compressed") { $0.input.excludesCompressed = true }
            .help("Skip files whose suffix marks them as already compressed.")
            .zstd("same", "the suffixes of 1.5.5 and later"),
        Flag("stream-size", .size()) { $0.input.streamSize = $1 > 0 ? $1 : nil }
            .help("Size of standard input, for the progress bar and the frame header.")
            .manual("It is an error if an input to compress or copy has another size.")
            .zstd("same", "another number of bytes is an error", spelled: "`--stream-size=#`"),
    ]
}
