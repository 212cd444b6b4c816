import SluiceEngine

/// Options that verify content.
extension Flag {
    static let verification: [Flag] = [
        Flag(.verify, .words { ["frames", "file"] }.or("frames")) { settings, what in
            if what == "file" {
                settings.verification.readsBack = true
            } else {
                settings.verification.verifiesFrames = true
            }
        }
        .help("Decompress and compare each frame before it is written, or the finished file.")
        .manual(
            """
            frames (the default): each worker decompresses the frame that it made and compares it with the source. \
            A difference is an error that names the byte; nothing is replaced, and the source is kept. file: the \
            file is read back from the disk and all its frames are decompressed before it gets its name and before \
            --rm deletes a source; an object of a store is read back when it is there, and removed if it is wrong. \
            With --join the checksum of each part is compared.
            """
        )
        .only(with: .verification, hint: "-d and -t always verify; -t --against=FILE compares with a file"),
        Flag(.against, .file("data", mayBeURL: true)) { settings, path in
            if path.isStandardInput {
                throw Complaint.usage("--against takes a named file, not standard input")
            }
            settings.verification.reference = path
        }
        .help("With -t: compare the content with FILE, and report the first byte that differs.")
        .only(with: .reference)
        .takes(.one),
        Flag(.hash, .words { HashFunction.names }.or("sha256")) { $0.verification.hashName = $1 }
            .help("Print a hash of the content as sha256sum does.")
            .manual(
                """
                The lines go to standard output, or to standard error if the data goes to standard output; \
                sha256sum -c reads them. OpenSSL's libcrypto computes the hash, and is loaded only then.
                """
            )
            .warns(without: .data, "no content is read"),
    ]
}

/// Options for damaged files.
extension Flag {
    static let recovery: [Flag] = [
        Flag(.parity, .percent.or("5%")) { $0.compression.parity = $1 }
            .help(
                "Add parity (default 5%), with which --repair and --recover repair a file that rots; with -t: check it."
            )
            .manual(
                """
                1 to 50 per cent of the compressed size. Rot is repaired up to that share of each gigabyte in one place, and \
                less in scattered places: about a quarter of it at 5%, a tenth at 2%. Blocks that were moved are found. Other \
                programs skip the parity. With -t, the exit status is 0 only if all of the file is as it was written.
                """
            )
            .only(with: .parity)
            .excludes(
                .append, because: "parity protects what is before it", hint: "join the content, and compress it anew"
            )
            .excludes(.part, because: "the parts are joined to one file, which would have no parity")
            .excludes(.flushInterval, because: "the parity of a stream that may end anywhere would be missing")
            .excludes(.against, because: "each checks the file in its own way", hint: "run -t once for each"),
        Flag(.recover, .words(LossFilling.self).or(LossFilling.zeros.rawValue)) {
            $0.decoding.lossFilling = $1
        }
        .help(
            "With -d: decompress the intact frames of a damaged file; lost content becomes zeros, or is left out (drop)."
        )
        .manual(
            """
            Each lost range is reported with its offsets in the file and in the content, and the reason. If its size \
            is unknown, no zeros are written for it. The output gets its name in any case. The exit status is 0 \
            exactly if -t accepts the file; it is 1 if content is lost, or if only a seek table is damaged.
            """
        )
        .only(with: .recovery)
        .excludes(.resume, because: "only an intact file can be continued")
        .excludes(.rm, because: "more of the file may be recovered another day", hint: "leave --rm out"),
        Flag(.ignoreZeros) { $0.input.ignoresZeros = true }
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

extension Argument<Int> {
    fileprivate static var percent: Self {
        let wanted = "a share from 1% to 50%"
        return Argument<FlagValue>.typed("P%", wanted, "5%").map(or: wanted) { typed in
            let text = typed.text
            return Int(text.last == "%" ? String(text.dropLast()) : text)
        }
        .within(1...50, wanted)
    }
}
