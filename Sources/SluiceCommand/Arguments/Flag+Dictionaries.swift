import Sluice

/// What frames refer to, and how dictionaries are made.
extension Flag {
    private static let unused = "no dictionary is made without --train"

    static let dictionaries = Group(
        title: "Dictionaries",
        flags: [
            Flag("dictionary", .file(), "Compress or decompress with the dictionary FILE.") {
                $0.settings.references.dictionaryFile = try $1.path()
            }
            .letter("D").common("compress or decompress with a dictionary")
            .excludes("patch-from", "patch-apply", because: "frames refer to either of them")
            .zstd("same", "digested once, for all workers and files", spelled: "`-D DICT`"),
            Flag(
                "patch-from", .file(),
                "Write the difference to FILE, up to 2 GiB, as one frame; with -d: apply it."
            ) { $0.settings.references.patchFile = try $1.path() }
            .zstd("same", "one frame", spelled: "`--patch-from=REF`"),
            Flag("patch-apply", .file(), "With -d: the same as --patch-from.") {
                $0.settings.references.patchFile = try $1.path()
            }
            .only(with: .patches, hint: "--patch-from makes a difference")
            .zstd("with `-d` the same as `--patch-from`", spelled: "`--patch-apply=REF`"),
            Flag("no-dictID", "Do not name the dictionary in frames.") {
                $0.settings.compression.options.hasDictionaryIdentifier = false
            }
            .zstd("same"),
            trainer("cover", "Train with the cover algorithm.", "k=N,d=N,steps=N,split=N,shrink"),
            trainer(
                "fastcover", "Train with the fast cover algorithm (default).",
                "k=N,d=N,f=N,steps=N,split=N,accel=N,shrink"),
            trainer("legacy", "Train with the legacy algorithm.", "s=N"),
            Flag("trainer", .text("HOW", "a trainer", "cover=k=200,d=8"), "The long form of --train-cover.") {
                $0.trainer = $1.text
            }
            .warns(without: .training, unused).hidden(),
            Flag("selectivity", .number("N", "a selectivity for --train-legacy", "9"), "Selectivity of --train-legacy.")
            { $0.selectivity = try $1.number() }
            .letter("s").warns(without: .training, unused)
            .zstd("same", "through libzstd", spelled: "`-s#`"),
            Flag("maxdict", .size("SIZE", "110K"), "Maximum size of a trained dictionary (default 110 KiB).") {
                $0.dictionarySize = try $1.size()
            }
            .warns(without: .training, unused).zstd("same"),
            Flag("dictID", .text("N", "a number", "7"), "Number of a trained dictionary.") { request, value in
                guard let number = UInt32(value.text) else { throw value.mistake("a number of 32 bits") }
                request.dictionaryIdentifier = number
            }
            .warns(without: .training, unused).zstd("same"),
        ])

    private static func trainer(_ method: String, _ help: String, _ parameters: String) -> Flag {
        Flag("train-" + method, .text(parameters, "parameters", parameters).or(""), help) { request, value in
            request.choose(Train(), value)
            request.trainer = value.bytes == nil ? method : "\(method)=\(value.text)"
            // The last one holds, of -s and the parameter of the trainer that has it.
            if method == "legacy", value.bytes != nil { request.selectivity = nil }
        }
        .warns(without: .training, unused)
        .zstd("same", "through libzstd")
    }
}
