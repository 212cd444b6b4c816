import Sluice

/// Options that verify content.
extension Flag {
    static let verification: [Flag] = [
        Flag("verify", .words { ["frames", "file"] }.or("frames")) { settings, what in
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
            --rm deletes a source. With --join the checksum of each part is compared.
            """
        )
        .only(with: .verification, hint: "-d and -t always verify; -t --against=FILE compares with a file"),
        Flag("against", .file()) { settings, path in
            if path == Operand.standardInput {
                throw Complaint.usage("--against takes a named file, not standard input")
            }
            settings.verification.reference = path
        }
        .help("With -t: compare the content with FILE, and report the first byte that differs.")
        .only(with: .reference)
        .takes(.one),
        Flag("hash", .words { HashFunction.names }.or("sha256")) { $0.verification.hashName = $1 }
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
