import Dispatch
import StreamTestSupport

@testable import ByteStreams

extension Count {
    /// The count when the memory of all buffers that are no longer used is free.
    var valueAfterReleases: Int {
        let released = DispatchSemaphore(value: 0)
        OutputBuffer.afterReleases { released.signal() }
        released.wait()
        return value
    }
}
