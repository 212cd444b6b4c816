extension FixedWidthInteger {
    /// The number without its fraction, or the closest one of this type; 0 for what is no number.
    ///
    /// For sizes, times and shares that a file, the command line or a clock may make as large as they like, where `Int`
    /// traps.
    package init(clamping number: Double) {
        self = Self(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }

    /// The sum, or the closest number of this type.
    package func addingClamped(_ other: Self) -> Self {
        let (sum, isOutside) = addingReportingOverflow(other)
        return !isOutside ? sum : other < 0 ? .min : .max
    }
}
