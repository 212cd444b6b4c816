/// A text that is printed instead of a run.
enum Answer {
    case usage, help, version
    case generate(Generated)
}

/// The files that are made from the declarations.
enum Generated: String, CaseIterable {
    case man
    case bash = "complete-bash"
    case zsh = "complete-zsh"
    case fish = "complete-fish"
    case zstdOptions = "zstd-options"
}
