/// What a run does with its data, for its numbers and sentences.
package struct Activity: Equatable, Sendable {
    /// The side of a run that has the decompressed bytes.
    package enum Content: Sendable {
        case input, output
        /// Nothing is compressed.
        case both

        /// Whichever of the two is the decompressed size.
        package func size<Size>(input: Size, output: Size) -> Size { self == .output ? output : input }
    }

    /// A verb, such as "compress", which is also the name of the workers' stage.
    package let name: String
    /// The workers' activity as a noun, such as "compression".
    package let noun: String
    package let content: Content
    package let hasOutput: Bool

    package init(_ name: String, noun: String, content: Content, hasOutput: Bool = true) {
        self.name = name
        self.noun = noun
        self.content = content
        self.hasOutput = hasOutput
    }

    /// Decompressed bytes over compressed ones; nil if nothing is compressed, or one of the sizes is 0.
    package func ratio(input: Double, output: Double) -> Double? {
        guard content != .both, input > 0, output > 0 else { return nil }
        return content == .input ? input / output : output / input
    }
}
