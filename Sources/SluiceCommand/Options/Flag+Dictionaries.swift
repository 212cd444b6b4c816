import ZstdCodec

/// Options for dictionaries, patches and training.
extension Flag {
    private static let unused = "no dictionary is made without --train"

    static let dictionaries: [Flag] = [
        Flag(.dictionary, .file("dictionary")) { $0.references = .dictionary($1) }.letter("D")
            .help("Compress or decompress with the dictionary FILE.")
            .common("compress or decompress with a dictionary")
            .excludes(.patchFrom, .patchApply, because: "frames refer to only one of them")
            .zstd(
                "same", "digested once, for all workers and files; a warning tells of one that was not trained",
                spelled: "`-D DICT`"),
        Flag(.patchFrom, .file("old.tar")) { $0.references = .patch($1) }
            .help("Compress as a patch of the old version FILE (up to 2 GiB), in one frame; with -d: apply the patch.")
            .zstd("same", "one frame", spelled: "`--patch-from=REF`"),
        Flag(.patchApply, .file("old.tar")) { $0.references = .patch($1) }
            .help("With -d: the same as --patch-from.")
            .only(with: .patches, hint: "--patch-from makes a patch")
            .zstd("with `-d` the same as `--patch-from`", spelled: "`--patch-apply=REF`"),
        Flag(.noDictID) { $0.compression.options.hasDictionaryIdentifier = false }
            .help("Do not store the ID of the dictionary in frames.")
            .zstd("same"),
        trainer(.trainCover, .cover, "k=N,d=N,steps=N,split=N,shrink", "k=200,d=8,steps=4,split=80,shrink=2")
            .help("Train with the cover algorithm."),
        trainer(
            .trainFastcover, .fastCover, "k=N,d=N,f=N,steps=N,split=N,accel=N,shrink",
            "k=200,d=8,f=20,steps=4,split=75,accel=2,shrink=2"
        )
        .help("Train with the fast cover algorithm (default)."),
        trainer(.trainLegacy, .legacy, "s=N", "s=9")
            .help("Train with the legacy algorithm."),
        Flag(.selectivity, .number("N", "a selectivity for --train-legacy", "9")) {
            $0.trainer.selectivity = $1
        }
        .letter("s")
        .help("Selectivity of --train-legacy.")
        .warns(without: .training, unused)
        .zstd("same", "through libzstd", spelled: "`-s#`"),
        Flag(.maxdict, .size("SIZE", "110K")) { $0.trainer.sizeLimit = Int(clamping: $1) }
            .help("Maximum size of a trained dictionary (default 110 KiB).")
            .warns(without: .training, unused)
            .zstd("same"),
        Flag(.dictID, Argument<String>.text("N", "a number", "7").map(or: "a number of 32 bits") { UInt32($0) }) {
            $0.trainer.identifier = $1
        }
        .help("ID of the trained dictionary.")
        .warns(without: .training, unused)
        .zstd("same"),
    ]

    private static func trainer(
        _ name: Name, _ method: DictionaryTrainer.Method, _ parameters: String, _ example: String
    ) -> Flag {
        Flag(name, .typed(parameters, "parameters", example).or("")) { try $0.trainer.use(method, $1) }
            .chooses(Train())
            .warns(without: .training, unused)
            .zstd("same", "through libzstd")
    }
}

extension DictionaryTrainer {
    /// Sets a method and its parameters, such as `k=200,d=8`, and leaves what other options set.
    fileprivate mutating func use(_ method: Method, _ typed: FlagValue) throws(Complaint) {
        var trainer = DictionaryTrainer(method)
        (trainer.sizeLimit, trainer.identifier, trainer.selectivity) = (sizeLimit, identifier, selectivity)
        for (name, word) in typed.bytes == nil ? [] : typed.pairs {
            guard trainer.take(name, word) else {
                throw typed.mistake("parameters such as \(typed.flag.argument.example)")
            }
        }
        self = trainer
    }

    /// Sets a parameter; returns whether the method has it.
    private mutating func take(_ name: String, _ word: String?) -> Bool {
        // The only parameter that needs no number.
        let standard = name == "shrink" ? "1" : ""
        guard let value = ByteCount.parse(word ?? standard).map({ Int(clamping: $0) }) else { return false }
        switch (name, method.name) {
        case ("s", .legacy), ("selectivity", .legacy): selectivity = value
        case (_, .legacy): return false
        case ("k", _): segmentSize = value
        case ("d", _): matchSize = value
        case ("steps", _): steps = value
        case ("split", _): split = Double(value) / 100
        case ("shrink", _): shrinkRegression = value
        case ("f", .fastCover): frequencyLog = value
        case ("accel", .fastCover): acceleration = value
        default: return false
        }
        return true
    }
}
