import ByteStreams
import SystemPackage

/// How a command whose output was the input ended, and what it used, with the processes that it has waited for.
struct CommandUsage: Equatable, Sendable {
    /// Without its arguments, which may hold secrets.
    let name: String
    /// Nil if a signal ended it.
    let exitStatus: Int?
    let signal: Int?
    let userSeconds: Double
    let systemSeconds: Double
    let peakMemoryBytes: UInt64

    /// For people, such as `pg_dump exited with status 0; CPU 1.2 s user, 0.1 s system; peak memory 12 MiB`.
    var text: String {
        let ending = signal.map { "was killed by signal \($0)" } ?? "exited with status \(exitStatus ?? 0)"
        return """
            \(FilePath(name).printable) \(ending); CPU \(ByteCount.formatSeconds(userSeconds)) user, \
            \(ByteCount.formatSeconds(systemSeconds)) system; peak memory \(ByteCount.format(peakMemoryBytes))
            """
    }
}

extension CommandUsage: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("exitStatus", exitStatus)
            json.entry("name", name)
            json.entry("peakMemoryBytes", peakMemoryBytes)
            json.entry("signal", signal)
            json.entry("systemSeconds", systemSeconds)
            json.entry("userSeconds", userSeconds)
        }
    }
}
