import ArgumentParser

/// What is said.
struct MessageOptions: ParsableArguments {
    // It is answered before anything is parsed.
    @Flag(name: [.customShort("h"), .long], help: "Say on one screen what most runs need.") var usage = false

    @Flag(name: [.customShort("q"), .long], help: "No summary and no warnings; twice: no errors either.")
    var quiet: Int

    @Flag(name: [.customShort("v"), .long], help: "Say more: threads, frames and memory.") var verbose: Int

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Written --progress or --progress=how: auto (a bar in a terminal), bar, plain (a line every 3 seconds), json (an object a second), percent (a number a second, for dialog) or none.",
            valueName: "how"))
    var progress: ProgressStyle = .auto

    @Option(
        name: .long,
        help: ArgumentHelp("Seconds from one drawing of the bar, or line, to the next.", valueName: "seconds"))
    var interval: Double?

    @Option(name: .long, help: ArgumentHelp("What the bar shows in place of the file's name.", valueName: "text"))
    var name: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Written --stats or --stats=how: say at the end what each stage did and what limited the run, as text or json.",
            valueName: "how"))
    var stats: StatisticsStyle?

    @Option(
        name: .long, help: ArgumentHelp("Write the statistics to this file, as JSON.", valueName: "file"),
        completion: .file())
    var statsFile: Int?

    @Option(
        name: .long, help: ArgumentHelp("Write a trace of every stage, for Perfetto.", valueName: "file"),
        completion: .file())
    var trace: Int?

    @Option(
        name: .long, help: ArgumentHelp("Write a report with diagrams, as one HTML page.", valueName: "file"),
        completion: .file())
    var report: Int?
}

extension ProgressStyle: ExpressibleByArgument {}
extension StatisticsStyle: ExpressibleByArgument {}
