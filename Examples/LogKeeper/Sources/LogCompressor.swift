import Glibc
import Logging
import Metrics
import ServiceLifecycle
import Sluice

/// Compresses each log that is full, and removes it when what it became is on the disk.
struct LogCompressor: Service {
    let log: LogFile
    let logger: Logger
    private let compressed = Counter(label: "logs_compressed")
    private let saved = Counter(label: "log_bytes_saved")
    private let time = Timer(label: "log_compression_time")

    init(log: LogFile, logger: Logger) { (self.log, self.logger) = (log, logger) }

    func run() async throws {
        try await withGracefulShutdownHandler {
            for await path in log.full { try await compress(path.string) }
        } onGracefulShutdown: {
            log.finish()
        }
    }

    private func compress(_ log: String) async throws {
        let summary = try await Compression(level: 9).run(from: .file(log), to: .file(log + ".zst"))
        unlink(log)
        compressed.increment()
        saved.increment(by: summary.bytesIn - summary.bytesOut)
        time.recordNanoseconds(Int64(summary.duration / .nanoseconds(1)))
        logger.info("compressed", metadata: ["log": "\(log).zst", "bytes": "\(summary.bytesOut)"])
    }
}
