import Logging
import ServiceLifecycle
import Sluice

/// A service that has much to say: its logs are rotated when they have a size, and compressed while it goes on.
///
///     LogKeeper FOLDER 1000000
///
/// When it is told to end (INT, TERM), the last log is compressed before it does.
@main
struct LogKeeper {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 3, let size = Int(words[2]), size > 0 else { throw Usage() }
        let log = try LogFile(in: FilePath(words[1]), size: size)
        let logger = Logger(label: "log-keeper") { StreamLogHandler.standardError(label: $0) }
        // They end in the other order: nothing is said any more when the last log is compressed.
        let services: [any Service] = [LogCompressor(log: log, logger: logger), Talker(log: log)]
        let group = ServiceGroup(
            services: services, gracefulShutdownSignals: [.sigint, .sigterm], logger: logger)
        try await group.run()
    }
}

/// What is wrong with the command line.
struct Usage: Error, CustomStringConvertible {
    let description = "usage: LogKeeper FOLDER SIZE"
}

/// What somebody's service would be: it counts.
struct Talker: Service {
    let log: LogFile

    func run() async throws {
        let logger = Logger(label: "talker") { _ in LogFileHandler(log: log) }
        var number = 0
        while !Task.isShuttingDownGracefully {
            for _ in 0..<1000 {
                number += 1
                logger.info("line \(number)")
            }
            await Task.yield()
        }
    }
}
