/// How the statistics are printed.
enum StatisticsStyle: String, CaseIterable, Sendable {
    case text
    case json
}
