import SystemPackage

/// What a run does when the disk of its output is full.
enum FullDiskAnswer: String, CaseIterable, Sendable {
    /// It waits for room, and goes on.
    case wait
    case fail
}

extension Settings {
    /// Whether writes wait for room: on a terminal somebody sees that, and may make it.
    var waitsWhenFull: Bool {
        output.onFull.map { $0 == .wait }
            ?? (reporting.quietness == 0 && StandardDescriptors.isTerminal(.standardError))
    }
}
