internal import Synchronization

/// What may follow the last frame or member of an input: nothing, or zeros up to its end, as after data of gzip.
struct TrailingBytes {
    /// Whether zeros may follow any data, and not only that of gzip.
    let ignoresZeros: Bool
    /// Where the ignored zeros begin; nil before they come.
    var zerosOffset: UInt64?

    /// Begins with bytes that begin neither a frame nor a member: zeros are ignored from here on, as `gzip -d` does
    /// after its own data.
    ///
    /// - Parameters:
    ///   - format: of the data before them; nil for frames.
    ///   - isFirst: whether no frame comes before them.
    /// - Throws: if other bytes follow the data, or zeros that may not.
    mutating func begin(
        _ bytes: [UInt8], at offset: UInt64, after format: ForeignFormat?, isFirst: Bool
    ) throws(Failure) {
        guard bytes.allSatisfy({ $0 == 0 }), !isFirst || format != nil else {
            throw Self.failure(at: offset, after: format)
        }
        guard ignoresZeros || format == .gzip else {
            guard let format else { throw .codec(.trailingZeros(offset: offset)) }
            throw .foreign(.trailingZeros(format, offset: offset))
        }
        zerosOffset = offset
    }

    /// Checks that the bytes after the first ones are zeros, too.
    func check(_ bytes: RawSpan, after format: ForeignFormat?) throws(Failure) {
        guard let zerosOffset, !bytes.areZeros else { return }
        throw Self.failure(at: zerosOffset, after: format)
    }

    private static func failure(at offset: UInt64, after format: ForeignFormat?) -> Failure {
        guard let format else { return .codec(.trailingBytes(offset: offset)) }
        return .foreign(.trailingBytes(format, offset: offset))
    }
}

/// Zeros that follow foreign data, and are ignored.
final class TrailingZeros: Sendable {
    /// Whether they are expected after any data, not only after that of gzip.
    let areExpected: Bool
    private let offset = Mutex<UInt64?>(nil)

    init(areExpected: Bool = false) { self.areExpected = areExpected }

    /// Where they begin, unless the caller asked to ignore them.
    var unexpected: UInt64? { areExpected ? nil : offset.withLock { $0 } }

    func note(_ offset: UInt64) { self.offset.withLock { $0 = offset } }
}
