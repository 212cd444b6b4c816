extension Statistics {
    /// What was run, on what, where and when. What does not apply, or was not asked for, is nil.
    public struct Run: Encodable, Equatable, Sendable {
        public var operation: Activity
        /// Names, fit to be printed; the first hundred of many.
        public var inputs: [String] = []
        /// How many inputs there were.
        public var inputCount = 0
        /// Names of what the inputs become, in their order, or the one output that they share.
        public var outputs: [String] = []
        /// Workers that there may be.
        public var threads: Int
        public var level: Int?
        /// Decompressed bytes of a frame; nil if there is one frame only.
        public var frameSizeBytes: Int?
        public var singleFrame: Bool?
        public var checksum: Bool?
        /// The window of long-distance matching.
        public var longWindowBytes: UInt64?
        /// The largest window that decompression accepts.
        public var windowLimitBytes: UInt64?
        public var flushIntervalSeconds: Double?
        /// Bytes of the input, whichever side is compressed.
        public var rateLimitBytesPerSecond: UInt64?
        public var bufferBytes: UInt64?
        /// How full the buffer is before anything is written, 0 to 1.
        public var bufferStart: Double?
        /// Who reads a file to compress.
        public var reading: String?
        /// Whether files are on the disk before they get their names.
        public var sync: Bool?
        public var removesSources: Bool?
        /// When it began: ISO 8601, with the offset from UTC.
        public var date: String
        public var sluiceVersion: String
        public var libzstdVersion: String
        public var machine = Machine()

        public init(
            _ activity: Activity, threads: Int, date: String, sluiceVersion: String, libzstdVersion: String
        ) {
            self.operation = activity
            self.threads = threads
            self.date = date
            self.sluiceVersion = sluiceVersion
            self.libzstdVersion = libzstdVersion
        }
    }
}
