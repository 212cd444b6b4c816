import Dispatch
import Glibc
import Sluice

/// Compresses files, one after the other, with its progress on one line. INT (Ctrl-C) ends it: the files that are done
/// stay, and the one in the middle leaves nothing.
///
///     BatchJob dump-*.sql
@main
struct BatchJob {
    static func main() async throws {
        let job = Task {
            for name in CommandLine.arguments.dropFirst() { try await compress(name) }
        }
        signal(SIGINT, SIG_IGN)
        let interruption = DispatchSource.makeSignalSource(signal: SIGINT)
        interruption.setEventHandler { @Sendable in job.cancel() }
        interruption.activate()
        do { try await job.value } catch let error as Failure where error.code == .cancelled {
            print("\nstopped")
            exit(130)
        }
    }

    /// For files that are kept for years: `sluice --repair` restores what rots.
    static var compression: Compression {
        var compression = Compression(level: 9)
        compression.parity = 5
        return compression
    }

    static func compress(_ name: String) async throws {
        let progress = RunProgress()
        async let summary = compression.run(
            from: .file(name), to: .file(name + ".zst"), options: RunOptions(progress: progress))
        for await totals in progress { print("\r\(name): \(totals.bytesIn) bytes read", terminator: "") }
        print("\r\(name): \(try await summary.bytesOut) bytes in \(try await summary.duration)")
    }
}
