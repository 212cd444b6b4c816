import Sluice

/// The page of `--report`: `report.html`, whose script draws the JSON that is appended to it.
enum Report {
    private static let template = String(decoding: PackageResources.report_html, as: UTF8.self)

    /// The beginning of every report.
    static let opening = template.split(separator: "\n").prefix { $0 != "<style>" }.joined(separator: "\n")

    static func page(_ statistics: Statistics, _ timeline: Timeline) -> String {
        let activity = statistics.run.operation
        let course =
            ["content": "\(activity.content)", "hasOutput": activity.hasOutput, "series": timeline] as [String: Any]
        return template + element("statistics", JSON.page(statistics)) + element("course", JSON.line(course))
            + "</body>\n</html>\n"
    }

    /// An element that is not run and not drawn, with JSON in which nothing may look like a tag.
    private static func element(_ id: String, _ json: String) -> String {
        "<script type=\"application/json\" id=\"\(id)\">\n\(json.exchanging("<", for: "\\u003c"))\n</script>\n"
    }
}
