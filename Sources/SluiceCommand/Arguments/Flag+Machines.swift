import Sluice
import ZstdCodec

/// Which share of a file a machine does.
extension Flag {
    static let machines = Group(
        title: "Many machines",
        flags: [
            Flag(
                "part", .text("K/N", "a part", "3/16"),
                "Compress part K of N of a file to FILE.K-of-N.zst; with -d, decompress it into its place.",
                manual: """
                    auto takes K and N from the job array that runs the command, auto/N takes only K. --join makes one \
                    file of all parts.
                    """
            ) { $0.part = $1.text }
            .only(with: .shares)
            .takes(.oneNamed)
            .excludes("recover", "resume", because: "--part does a share of an intact file")
            .excludes(
                "single-frame", "long", "adapt", "rsyncable", "flush-interval", "dictionary", "patch-from", "max",
                because: "parts are independent frames of one size", when: .frames
            )
            .excludes("patch-apply", because: "parts are independent frames")
            .excludes("rm", because: "the source holds more than the output", hint: "leave --rm out")
            .excludes("hash", because: "the hash would be shown for the whole file"),
            Flag(
                "align", .size("SIZE", "8M"),
                "Start a frame at each multiple of SIZE in the output, 64K to 1G, for uploads in parts.",
                manual: """
                    No frame lies across a multiple; the space before it is filled.
                    """
            ) { request, value in
                let size = try value.size()
                guard FrameAlignment.sizes.contains(Int(clamping: size)) else {
                    throw value.mistake("a size from 64K to 1G")
                }
                request.alignment = size
            }
            .only(with: .alignment, hint: "a joined file is aligned as its parts are")
            .excludes(
                "single-frame", "long", "patch-from", because: "a single frame lies across all multiples"
            )
            .excludes("resume", because: "aligned output can't be continued"),
            Flag(
                "part-stats", .folder, "With --join: include the statistics of the runs that made the parts.",
                manual: """
                    Each of them has written its own into DIR, with --part and --stats-file=DIR.
                    """
            ) { $0.settings.part.statistics = try $1.path() }
            .only(with: .joining, hint: "--stats-file=DIR, with --part, writes them")
            .needs(
                "stats", "stats-file", "report", or: "--part-stats needs --stats, --stats-file or --report"),
        ])
}
