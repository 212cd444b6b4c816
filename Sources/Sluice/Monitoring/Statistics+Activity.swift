extension Statistics {
    /// What a run does with its data, as far as its numbers and their words have to know.
    package struct Activity: Equatable, Sendable {
        /// The side of a run on which bytes are decompressed ones.
        package enum Content: Sendable {
            case input, output
            /// Nothing is compressed.
            case both
        }

        /// A verb, which is also the name of the workers' stage.
        package let name: String
        /// What the workers do, as a noun.
        package let noun: String
        /// Where the decompressed bytes are.
        package let content: Content
        /// Whether anything is written.
        package let hasOutput: Bool

        /// - Parameters:
        ///   - name: a verb, such as "compress".
        ///   - noun: what the workers do, such as "compression".
        package init(_ name: String, noun: String, content: Content, hasOutput: Bool = true) {
            self.name = name
            self.noun = noun
            self.content = content
            self.hasOutput = hasOutput
        }

        /// The decompressed one of what went in and what came out.
        package func content<Size>(input: Size, output: Size) -> Size { content == .output ? output : input }

        /// Decompressed bytes over compressed ones; nil where nothing is compressed, or nothing is there.
        package func ratio(input: Double, output: Double) -> Double? {
            guard content != .both, input > 0, output > 0 else { return nil }
            return content == .input ? input / output : output / input
        }
    }
}

extension Statistics.Activity: Encodable {
    /// The name alone.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
