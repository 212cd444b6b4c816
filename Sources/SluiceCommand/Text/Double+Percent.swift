import Sluice

extension Double {
    /// A share as a percentage without decimals, such as `85 %`.
    var percent: String { "\(Int(clamping: (self * 100).rounded())) %" }
}
