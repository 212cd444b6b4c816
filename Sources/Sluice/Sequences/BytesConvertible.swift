public import Dispatch

/// A buffer of bytes, as `compressed` and `decompressed` take and return it: `[UInt8]`, `DispatchData`, or any other
/// type with these two lines.
///
///     extension ByteBuffer: @retroactive BytesConvertible {
///         public init(_ data: DispatchData) { self.init(dispatchData: data) }
///         public var dispatchData: DispatchData { readableBytesView.withUnsafeBytes { DispatchData(bytes: $0) } }
///     }
public protocol BytesConvertible {
    /// The same bytes, copied or not.
    init(_ data: DispatchData)
    /// The same bytes, copied or not.
    var dispatchData: DispatchData { get }
}

extension DispatchData: BytesConvertible {
    /// Itself.
    public init(_ data: DispatchData) { self = data }
    /// Itself.
    public var dispatchData: DispatchData { self }
}

extension Array: BytesConvertible where Element == UInt8 {
    /// A copy.
    public init(_ data: DispatchData) { self = Bytes(data).elements }
    /// A copy.
    public var dispatchData: DispatchData { withUnsafeBytes { DispatchData(bytes: $0) } }
}
