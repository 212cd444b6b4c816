import Glibc
import Sluice

/// A file that is read or written beside the operands, such as a dictionary, a list or statistics.
///
/// To open an operand may wait for another process, since that is what a FIFO is for. Nobody expects it of these.
enum AuxiliaryFile {
    /// How long the other end of a FIFO may take to come: a shell starts both at the same time.
    private static let patience = Duration.seconds(1)

    /// Opens a file to be read to its end.
    ///
    /// - Parameter hint: a hint for the message if that fails.
    /// - Throws: why it can't be opened; or that it is no regular file, and nothing can be read from it.
    static func open(_ path: FilePath, cant action: String, hint: String? = nil) throws(Complaint) -> FileDescriptor {
        let descriptor = try Complaint.about(
            path, cant: action, hint: hint, Operand(path).open(isLink: true, O_NONBLOCK))
        do throws(Complaint) {
            let kind = try Complaint.about(path, cant: action, hint: hint, FileIdentity(descriptor)).kind
            // The pipe of a process substitution is in /dev or /proc: somebody writes to it, or has done so.
            switch kind {
            case .fifo where !path.isInDevOrProc && !comes { descriptor.isWritten }:
                throw Complaint(path, "is a FIFO that nobody writes to", hint: hint)
            case .device where !descriptor.isReadable:
                throw Complaint(path, "is a device that has nothing to read", hint: hint)
            default: descriptor.setWaiting()
            }
            return descriptor
        } catch {
            try? descriptor.close()
            throw error
        }
    }

    /// Opens a file to be written in place.
    ///
    /// - Parameter open: is called with more flags, perhaps several times.
    /// - Throws: its error; `noSuchAddressOrDevice` for a FIFO that nobody reads.
    static func openToWrite(_ open: (Int32) throws(Errno) -> FileDescriptor) throws(Errno) -> FileDescriptor {
        var result = Result<FileDescriptor, Errno>.failure(.noSuchAddressOrDevice)
        _ = comes {
            do throws(Errno) { result = .success(try open(O_NONBLOCK)) } catch { result = .failure(error) }
            return result != .failure(.noSuchAddressOrDevice)
        }
        let descriptor = try result.get()
        descriptor.setWaiting()
        return descriptor
    }

    /// Whether the other end of a FIFO comes in time.
    private static func comes(_ isThere: () -> Bool) -> Bool {
        let end = ContinuousClock.now + patience
        while !isThere() {
            if ContinuousClock.now >= end { return false }
            usleep(10_000)
        }
        return true
    }
}
