extension Double {
    /// A share as a percentage without decimals, such as `85 %`.
    var percent: String { "\(Int((self * 100).rounded())) %" }
}
