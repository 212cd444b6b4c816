/// Transforms small files held in contiguous memory. Each worker has its own.
package protocol WholeFileTransform: AnyObject {
    /// Larger files take a run, in bytes.
    var sizeLimit: UInt64 { get }
    /// The most bytes that the file becomes; nil if that is too much to hold at once, or the file takes a run.
    func bound(of file: UnsafeRawBufferPointer) throws(Failure) -> Int?
    /// - Parameter memory: has room for the bound.
    /// - Returns: how many bytes the file became.
    func apply(_ file: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int
}
