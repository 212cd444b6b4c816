import Sluice

/// Options for damaged files.
extension Flag {
    static let recovery: [Flag] = [
        Flag("recover", .words(LossFilling.self).or(LossFilling.zeros.rawValue)) {
            $0.decoding.lossFilling = $1
        }
        .help(
            "With -d: decompress the intact frames of a damaged file; lost content becomes zeros, or is left out (drop)."
        )
        .manual(
            """
            Each lost range is reported with its offsets in the file and in the content, and the reason. If its size \
            is unknown, no zeros are written for it. The output gets its name in any case; the exit status is 1 if \
            content is lost or may be.
            """
        )
        .only(with: .recovery)
        .excludes("resume", because: "only an intact file can be continued")
        .excludes("rm", because: "more of the file may be recovered another day", hint: "leave --rm out"),
        Flag("ignore-zeros") { $0.input.ignoresZeros = true }
            .help("Accept zeros after the end of compressed data, such as tapes leave.")
            .manual(
                """
                Behind a stream whose seek table proves that it is complete, and behind gzip (with a warning), they are \
                accepted in any case. Behind other data they are an error, because a disk that lost the end of a file may \
                have left them.
                """
            )
            .only(with: .endings),
    ]
}
