import SystemPackage

/// The reaction to a full disk.
enum FullDiskAnswer: String, CaseIterable, Sendable {
    /// Waits for space.
    case wait
    case fail
}

extension Settings {
    /// Whether writes wait for space: the default on a terminal, where someone can free some.
    var waitsWhenFull: Bool {
        output.onFull.map { $0 == .wait }
            ?? (reporting.quietness == 0 && StandardDescriptors.isTerminal(.standardError))
    }
}
