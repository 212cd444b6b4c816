extension Statistics {
    /// The options, inputs, outputs, place and time of a run. Options that do not apply, or were not given, are nil.
    package struct Run: Equatable, Sendable {
        package var operation: Activity
        /// The part of a file that the run made; nil for the whole file.
        package var part: ContentShare?
        /// Names, a hundred at most.
        package var inputs: [String] = []
        /// For each input whose name is not UTF-8 the name's bytes as Base64, else nil; nil if all are UTF-8.
        package var inputsBase64: [String?]?
        package var inputCount = 0
        /// The outputs of the inputs, in the same order, or the one output that they share.
        package var outputs: [String] = []
        package var outputsBase64: [String?]?
        /// The most workers.
        package var threads: Int
        package var level: Int?
        /// The lowest level of one that adapts, beginning at `level`.
        package var adaptMin: Int?
        package var adaptMax: Int?
        /// Decompressed bytes of a frame; nil for a single frame.
        package var frameSizeBytes: Int?
        package var singleFrame: Bool?
        package var rsyncable: Bool?
        /// The last byte of a line, if frames have whole lines.
        package var lineEnd: Int?
        package var checksum: Bool?
        /// The window of long-distance matching.
        package var longWindowBytes: UInt64?
        package var dictionary: String?
        /// The bytes of the name, as Base64, if they are not UTF-8.
        package var dictionaryBase64: String?
        /// The reference of a patch.
        package var patchSource: String?
        package var patchSourceBase64: String?
        /// The largest window that decompression accepts.
        package var windowLimitBytes: UInt64?
        /// The greatest age of the first byte of a frame when the frame ends.
        package var flushIntervalSeconds: Double?
        /// Bytes of the input, whether compressed or not.
        package var rateLimitBytesPerSecond: UInt64?
        /// Bytes that may wait between input and output, beyond those that the workers need.
        package var bufferBytes: UInt64?
        /// How full the buffer has to be before anything is written, 0 to 1.
        package var bufferStart: Double?
        /// How a file is read: dispatch, workers or auto.
        package var reading: String?
        /// Whether files are flushed to the disk before they get their names.
        package var sync: Bool?
        package var removesSources: Bool?
        /// The time of the start: ISO 8601, with the offset from UTC.
        package var date: String
        package var sluiceVersion: String
        package var libzstdVersion: String
        package var machine = Machine()

        package init(
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
