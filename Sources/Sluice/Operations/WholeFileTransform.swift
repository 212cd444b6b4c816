/// What an operation does to a small file, all of it in contiguous memory. Each worker has its own.
protocol WholeFileTransform: AnyObject {
    /// Larger files take a run, in bytes.
    var sizeLimit: UInt64 { get }
    /// What the file becomes at most, in bytes; nil if that is too much to be held at once, or the file takes a run.
    func bound(of file: UnsafeRawBufferPointer) throws(Failure) -> Int?
    /// Transforms it, into memory that has room for that; returns how many bytes it became.
    func apply(_ file: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int
}
