import ZstdCodec

/// Options for dictionaries, patches and training.
extension Flag {
    private static let unused = "no dictionary is made without --train"

    static let dictionaries: [Flag] = [
        Flag("dictionary", .file(), to: \.settings.references.dictionaryFile).letter("D")
            .help("Compress or decompress with the dictionary FILE.")
            .common("compress or decompress with a dictionary")
            .excludes("patch-from", "patch-apply", because: "frames refer to only one of them")
            .zstd("same", "digested once, for all workers and files", spelled: "`-D DICT`"),
        Flag("patch-from", .file(), to: \.settings.references.patchFile)
            .help("Compress as a patch of the old version FILE (up to 2 GiB), in one frame; with -d: apply the patch.")
            .zstd("same", "one frame", spelled: "`--patch-from=REF`"),
        Flag("patch-apply", .file(), to: \.settings.references.patchFile)
            .help("With -d: the same as --patch-from.")
            .only(with: .patches, hint: "--patch-from makes a patch")
            .zstd("with `-d` the same as `--patch-from`", spelled: "`--patch-apply=REF`"),
        Flag("no-dictID", off: \.settings.compression.options.hasDictionaryIdentifier)
            .help("Do not store the ID of the dictionary in frames.")
            .zstd("same"),
        trainer("cover", "k=N,d=N,steps=N,split=N,shrink")
            .help("Train with the cover algorithm."),
        trainer("fastcover", "k=N,d=N,f=N,steps=N,split=N,accel=N,shrink")
            .help("Train with the fast cover algorithm (default)."),
        trainer("legacy", "s=N")
            .help("Train with the legacy algorithm."),
        Flag("trainer", .text("HOW", "a trainer", "cover=k=200,d=8"), to: \.trainer).hidden()
            .help("The long form of --train-cover.")
            .warns(without: .training, unused),
        Flag("selectivity", .number("N", "a selectivity for --train-legacy", "9"), to: \.selectivity).letter("s")
            .help("Selectivity of --train-legacy.")
            .warns(without: .training, unused)
            .zstd("same", "through libzstd", spelled: "`-s#`"),
        Flag("maxdict", .size("SIZE", "110K"), to: \.settings.trainer.sizeLimit) { Int(clamping: $0) }
            .help("Maximum size of a trained dictionary (default 110 KiB).")
            .warns(without: .training, unused)
            .zstd("same"),
        Flag(
            "dictID", Argument<String>.text("N", "a number", "7").map(or: "a number of 32 bits") { UInt32($0) },
            to: \.settings.trainer.identifier
        )
        .help("ID of the trained dictionary.")
        .warns(without: .training, unused)
        .zstd("same"),
    ]

    private static func trainer(_ method: String, _ parameters: String) -> Flag {
        Flag("train-" + method, .typed(parameters, "parameters", parameters).or("")) { request, typed in
            request.choose(Train(), typed)
            request.trainer = typed.bytes == nil ? method : "\(method)=\(typed.text)"
            // The last one holds, of -s and the parameter of the trainer that has it.
            if method == "legacy", typed.bytes != nil { request.selectivity = nil }
        }
        .warns(without: .training, unused)
        .zstd("same", "through libzstd")
    }
}
