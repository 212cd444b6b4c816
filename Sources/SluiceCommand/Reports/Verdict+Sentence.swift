import SluiceEngine

extension Verdict {
    /// The bottleneck of the run, as a sentence without its full stop.
    ///
    /// - Parameters:
    ///   - command: its name, if its output is the input.
    ///   - isSent: whether the output is an object of a store.
    func sentence(of activity: Activity, from command: String? = nil, isSent: Bool = false) -> String {
        switch cause {
        case .nothingToDo: "limited by its size: there was no data to work on"
        case .size(let chunks):
            "limited by its size: \(chunks) \(chunks == 1 ? "chunk" : "chunks") of data gave the workers little to share"
        case .sync(let share): "limited by the disk: flushing the output took \(share.percent) of the time"
        case .name(let share) where isSent:
            "limited by the store: completing the object took \(share.percent) of the time"
        case .name(let share):
            "limited by the file system: giving the output its name took \(share.percent) of the time"
        case .reading(let share): "limited by the input: workers read for \(share.percent) of the time"
        case .input(let share):
            "limited by \(command.map { "the command \($0)" } ?? "the input"): workers waited \(share.percent) of the time"
        case .rate(let share): "limited by \(Self.limit(activity)): workers waited \(share.percent) of the time"
        case .work(let workers):
            "limited by \(activity.noun): \(Self.subject(workers)) busy \(utilisation.percent) of the time"
        case .processors(let share):
            "limited by the CPUs: other processes had them \(share.percent) of the time"
        case .output(let share) where isSent:
            "limited by the network or the store: sending took \(share.percent) of the time"
        case .output(let share): "limited by the output: writing took \(share.percent) of the time"
        }
    }

    /// The rate limit's name, and what it counts.
    private static func limit(_ activity: Activity) -> String {
        activity.content == .output ? "--limit-rate, which counts compressed bytes" : "--limit-rate"
    }

    private static func subject(_ workers: Int) -> String {
        workers == 1 ? "the worker was" : workers == 2 ? "both workers were" : "all \(workers) workers were"
    }
}
