import Sluice

/// Which files are read.
extension Flag {
    static let input = Group(
        title: "Input",
        flags: [
            Flag(
                "recursive", "Process directories recursively; follow symbolic links only with -f."
            ) { $0.settings.input.isRecursive = true }
            .letter("r").common("process directories recursively").zstd("same", spelled: "`-r`"),
            Flag(
                "filelist", .file(), "Also read file names from FILE, or from standard input with -.",
                manual: """
                    One name a line, or each before a zero byte.
                    """
            ) { $0.settings.input.fileLists.append(try $1.path()) }
            .zstd("same", "names may end in NUL", spelled: "`--filelist LIST`"),
            Flag(
                "exclude-compressed", "Skip files whose suffix marks them as already compressed."
            ) { $0.settings.input.excludesCompressed = true }
            .zstd("same", "the suffixes of 1.5.5 and later"),
            Flag(
                "stream-size", .size(), "Size of standard input, for the progress bar and the frame header.",
                manual: """
                    Another number of bytes is an error.
                    """
            ) { request, value in
                let size = try value.size()
                request.settings.input.streamSize = size == 0 ? nil : size
            }
            .aliases("size")
            .zstd("same", "another number of bytes is an error", spelled: "`--stream-size=#`"),
        ])
}
