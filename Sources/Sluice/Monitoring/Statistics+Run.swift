extension Statistics {
    /// What was run, on what, where and when. What does not apply, or was not asked for, is nil.
    package struct Run: Encodable, Equatable, Sendable {
        /// What was done with the data.
        package var operation: Activity
        /// Which part of a file was done; nil for all of it.
        package var part: Share?
        /// Names; the first hundred of many.
        package var inputs: [String] = []
        /// The bytes of those that are no UTF-8, as Base64, with nil for each of the others; nil if there is none.
        package var inputsBase64: [String?]?
        /// How many inputs there were.
        package var inputCount = 0
        /// Names of what the inputs become, in their order, or the one output that they share.
        package var outputs: [String] = []
        /// As of the inputs.
        package var outputsBase64: [String?]?
        /// Workers that there may be.
        package var threads: Int
        /// The level of compression.
        package var level: Int?
        /// The least level of one that adapts, and begins at `level`.
        package var adaptMin: Int?
        /// Its greatest.
        package var adaptMax: Int?
        /// Decompressed bytes of a frame; nil if there is one frame only.
        package var frameSizeBytes: Int?
        /// Whether all of a file is one frame.
        package var singleFrame: Bool?
        /// Whether the content says where frames end, which have the frame size at most.
        package var rsyncable: Bool?
        /// Whether frames end in checksums.
        package var checksum: Bool?
        /// The window of long-distance matching.
        package var longWindowBytes: UInt64?
        /// The name of the dictionary that frames may refer to.
        package var dictionary: String?
        /// Its bytes, as Base64, if they are not UTF-8.
        package var dictionaryBase64: String?
        /// The name of what a difference is made to, or was.
        package var patchSource: String?
        /// Its bytes, as Base64, if they are not UTF-8.
        package var patchSourceBase64: String?
        /// The largest window that decompression accepts.
        package var windowLimitBytes: UInt64?
        /// How old the first byte of a frame may be when the frame ends.
        package var flushIntervalSeconds: Double?
        /// Bytes of the input, whichever side is compressed.
        package var rateLimitBytesPerSecond: UInt64?
        /// What may wait between the input and the output, beyond what the workers need.
        package var bufferBytes: UInt64?
        /// How full the buffer is before anything is written, 0 to 1.
        package var bufferStart: Double?
        /// Who reads a file to compress.
        package var reading: String?
        /// Whether files are on the disk before they get their names.
        package var sync: Bool?
        /// Whether sources are removed when their outputs are complete.
        package var removesSources: Bool?
        /// When it began: ISO 8601, with the offset from UTC.
        package var date: String
        /// The version of the program that runs, such as "0.1.0".
        package var sluiceVersion: String
        /// The version of the libzstd that runs, such as "1.5.4".
        package var libzstdVersion: String
        /// Where it runs.
        package var machine = Machine()

        /// - Parameters:
        ///   - threads: workers that there may be.
        ///   - date: ISO 8601, with the offset from UTC.
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
