/// Bytes of an input whose results have arrived at the output, and bytes of these results.
package struct Delivery: Equatable, Sendable {
    package var source: UInt64 = 0
    package var made: UInt64 = 0

    package init() {}

    init(source: Int, made: Int) {
        (self.source, self.made) = (UInt64(source), UInt64(made))
    }

    static func += (sum: inout Delivery, next: Delivery) {
        sum.source += next.source
        sum.made += next.made
    }
}
