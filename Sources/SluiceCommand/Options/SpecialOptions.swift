import ArgumentParser

/// Options that few runs have. Each that the parser knows costs a start its time, so that these are parsed only if the
/// others do not explain the words.
struct SpecialOptions: ParsableArguments {
    @OptionGroup(title: "A part of it") var range: RangeOptions
    @OptionGroup(title: "What is damaged") var recovery: RecoveryOptions
    @OptionGroup(title: "Many machines") var part: PartOptions
    @OptionGroup(title: "Interruptions") var interruption: InterruptionOptions
    @OptionGroup(title: "Dictionaries and patches") var dictionary: DictionaryOptions
    @OptionGroup(title: "Tuning") var tuning: TuningOptions
    @OptionGroup(title: "Proof") var proof: ProofOptions
    @OptionGroup(title: "Benchmark") var benchmark: BenchmarkOptions

    /// Whether the levels 20 to 22 are meant: what reaches far takes as much memory anyway.
    var allowsUltra: Bool { dictionary.patchFrom != nil || tuning.isStrongest }
}
