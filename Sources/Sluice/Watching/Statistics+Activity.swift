extension Statistics {
    /// What a run does with its data, as far as its numbers and their words have to know.
    public struct Activity: Equatable, Sendable {
        /// The side of a run on which bytes are decompressed ones.
        public enum Content: Sendable {
            case input, output
            /// Nothing is compressed.
            case both
        }

        /// A verb, which is also the name of the workers' stage.
        public let name: String
        /// What the workers do, as a noun.
        public let noun: String
        /// Where the decompressed bytes are.
        public let content: Content
        /// Whether anything is written.
        public let hasOutput: Bool

        /// - Parameters:
        ///   - name: a verb, such as "compress".
        ///   - noun: what the workers do, such as "compression".
        public init(_ name: String, noun: String, content: Content, hasOutput: Bool = true) {
            self.name = name
            self.noun = noun
            self.content = content
            self.hasOutput = hasOutput
        }

        /// The decompressed one of what went in and what came out.
        public func content<Size>(input: Size, output: Size) -> Size { content == .output ? output : input }

        /// Decompressed bytes over compressed ones; nil where nothing is compressed, or nothing is there.
        public func ratio(input: Double, output: Double) -> Double? {
            guard content != .both, input > 0, output > 0 else { return nil }
            return content == .input ? input / output : output / input
        }
    }
}

extension Statistics.Activity: Encodable {
    /// The name alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
