/// What becomes of content that is lost.
public enum LossFilling: String, CaseIterable, Sendable {
    /// As many zeros, as far as it is known how many: what follows stays where it was.
    case zeros
    /// It is left out.
    case drop
}
