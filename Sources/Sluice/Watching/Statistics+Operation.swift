extension Statistics {
    /// What a run does with its data, as far as its numbers and their words have to know.
    public struct Operation: Equatable, Sendable {
        /// Where the decompressed bytes are.
        public enum Content: Sendable {
            case input, output
            /// Nothing is compressed.
            case both
        }

        /// A verb, which is also the name of the workers' stage.
        public let name: String
        /// What the workers do, as a noun.
        public let noun: String
        public let content: Content
        /// Whether anything is written.
        public let hasOutput: Bool

        private init(_ name: String, noun: String, content: Content, hasOutput: Bool = true) {
            self.name = name
            self.noun = noun
            self.content = content
            self.hasOutput = hasOutput
        }

        public static let compress = Operation("compress", noun: "compression", content: .input)
        public static let decompress = Operation("decompress", noun: "decompression", content: .output)
        public static let test = Operation("test", noun: "decompression", content: .output, hasOutput: false)
        public static let copy = Operation("copy", noun: "copying", content: .both)

        /// The decompressed one of what went in and what came out.
        public func content<Size>(input: Size, output: Size) -> Size { content == .output ? output : input }

        /// Decompressed bytes over compressed ones; nil where nothing is compressed, or nothing is there.
        public func ratio(input: Double, output: Double) -> Double? {
            guard content != .both, input > 0, output > 0 else { return nil }
            return content == .input ? input / output : output / input
        }
    }
}

extension Statistics.Operation: Encodable {
    /// The name alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
