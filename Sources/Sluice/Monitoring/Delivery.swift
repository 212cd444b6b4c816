/// Bytes of an input whose results have arrived where they go, and the results.
package struct Delivery: Equatable, Sendable {
    /// Bytes of the input.
    package var source: UInt64 = 0
    /// Bytes that they became.
    package var made: UInt64 = 0

    /// None.
    package init() {}

    init(source: Int, made: Int) {
        (self.source, self.made) = (UInt64(source), UInt64(made))
    }

    static func += (sum: inout Delivery, next: Delivery) {
        sum.source += next.source
        sum.made += next.made
    }
}
