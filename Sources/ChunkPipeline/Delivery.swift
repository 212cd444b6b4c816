/// Bytes of an input whose results have arrived at the output, and bytes of these results.
package struct Delivery: Equatable, Sendable {
    package var sourceBytes: UInt64 = 0
    package var madeBytes: UInt64 = 0

    package init() {}

    package init(source: Int, made: Int) {
        (sourceBytes, madeBytes) = (UInt64(source), UInt64(made))
    }

    package static func += (sum: inout Delivery, next: Delivery) {
        sum.sourceBytes += next.sourceBytes
        sum.madeBytes += next.madeBytes
    }
}
