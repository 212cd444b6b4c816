internal import CKernel
internal import Glibc
package import SystemPackage

/// Makes a system call, and repeats it while a signal interrupts it.
///
/// - Returns: the result of the call, which is not negative.
/// - Throws: its error.
@discardableResult
package func systemCall<Number: SignedInteger>(_ call: () -> Number) throws(Errno) -> Number {
    while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { throw Errno(rawValue: errno) }
    }
}

/// Runs a body with all signals blocked, so that other threads handle them, or its end does. New threads inherit that.
func withoutSignals<Result, Problem>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
    var (all, former) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    return try body()
}

/// 64 random bits. Swift's own random numbers would end the process if the kernel has none.
package func randomBits() throws(Errno) -> UInt64 {
    var bits: UInt64 = 0
    try systemCall { getentropy(&bits, MemoryLayout.size(ofValue: bits)) }
    return bits
}

/// Keeps the memory of this process, and of those that it starts, out of files that are written when they crash.
package func keepMemoryOutOfCores() {
    var none = rlimit()
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    // A program that gets cores through a pipe gets them whatever the limit is.
    guard let filter = try? FileDescriptor(opening: "/proc/self/coredump_filter", O_WRONLY) else { return }
    _ = write(filter.rawValue, "0\n", 2)
    try? filter.close()
}

/// Makes a pipe whose ends don't wait, and are closed on exec from the start: another thread may start a process.
func ownPipe() throws(Errno) -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    try systemCall { sluice_make_own_pipe(&ends) }
    return (ends[0], ends[1])
}

/// Raises the limit on open files if allowed, and makes the kernel allocate room for their descriptors; returns how
/// many more files can be opened.
package func allowOpenFiles(_ more: Int) -> Int { Int(sluice_allow_open_files(Int32(clamping: more))) }

/// Sets the largest read of all Dispatch channels of the process, in bytes.
func setLargestRead(_ bytes: Int) { sluice_set_largest_read(bytes) }

/// Reserves addresses, which get memory when they are touched; nil if the system has none.
///
/// - Parameter alignment: in bytes, a power of two.
func reserveMemory(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer? { sluice_reserve_memory(size, alignment) }

func releaseMemory(_ memory: UnsafeMutableRawPointer?, _ size: Int) { munmap(memory, size) }

/// Moves memory to other reserved addresses, without a copy; the old ones are then as if never touched. False if the
/// system can't, as before Linux 5.7.
func moveMemory(_ from: UnsafeMutableRawPointer?, to: UnsafeMutableRawPointer?, _ size: Int) -> Bool {
    sluice_move_memory(from, to, size)
}

/// Faults in the whole pages of memory that is about to be written; does nothing before Linux 5.14.
func populateMemory(_ memory: UnsafeMutableRawPointer?, _ size: Int) { sluice_populate_memory(memory, size) }

/// Frees memory whose content is no longer needed; the addresses stay reserved.
func dropMemory(_ memory: UnsafeMutableRawPointer?, _ size: Int) { madvise(memory, size, MADV_DONTNEED) }

/// Names the calling thread, with at most 15 bytes, for tools that list the threads of a process.
func nameThread(_ name: String) { sluice_name_thread(name) }

/// Starts a thread with the signal mask of this one; returns the error, 0 for none.
///
/// - Parameter waits: whether to wait, in the command, until other threads have ended, if the system has no more.
func createThread(
    waits: Bool, _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
    _ context: UnsafeMutableRawPointer
) -> Int32 { sluice_create_thread(waits, body, context) }

/// Whether the process waits for a thread that the system does not have.
func isThreadWanted() -> Bool { sluice_is_thread_wanted() }

/// Takes up the request for a thread, if there still is one: the calling thread must end then.
func takesThreadRequest() -> Bool { sluice_give_thread() }

/// Whether the process has ever waited for a thread.
func areThreadsScarce() -> Bool { sluice_are_threads_scarce() }

/// Sets what wakes the threads that may end to make room, and says whether there are any.
func onThreadRequest(_ giver: @escaping @convention(c) () -> Bool) { sluice_on_thread_wanted(giver) }

/// The process's file mode creation mask. Calling `umask` would change it briefly, for every thread.
func modeMask() -> mode_t {
    if let mask = processStatus("Umask").flatMap({ mode_t($0, radix: 8) }) { return mask }
    // Without /proc, a thread that has unshared its umask reads it. Where that is forbidden, grant access to the owner
    // only.
    let mask = sluice_mode_mask()
    return mask >= 0 ? mode_t(mask) : 0o077
}
