import SluiceEngine

/// The page of `--report`: `report.html`, whose script draws the JSON that is appended to it.
enum HTMLReport {
    private static let template = String(decoding: PackageResources.report_html, as: UTF8.self)

    /// The beginning of every report.
    static let opening = template.split(separator: "\n").prefix { $0 != "<style>" }.joined(separator: "\n")

    static func page(_ page: StatisticsDocument, _ timeline: Timeline) -> String {
        template + element("statistics", JSON.page(page))
            + element("course", JSON.line(Course(activity: page.activity, timeline: timeline))) + "</body>\n</html>\n"
    }

    /// An element that is not run and not drawn, with JSON in which nothing may look like a tag.
    private static func element(_ id: String, _ json: String) -> String {
        "<script type=\"application/json\" id=\"\(id)\">\n\(json.asDataInHTML)\n</script>\n"
    }
}

/// What `report.html` draws beside the statistics.
private struct Course: JSONValue {
    let activity: Activity
    let timeline: Timeline

    func write(to json: inout JSON) {
        json.object { json in
            json.entry("content", "\(activity.content)")
            json.entry("hasOutput", activity.hasOutput)
            json.entry("series", timeline)
        }
    }
}

extension Timeline: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("bytesIn", bytesIn)
            json.entry("bytesOut", bytesOut)
            json.entry("reading", reading)
            json.entry("result", result)
            json.entry("slots", slots)
            json.entry("source", source)
            json.entry("syncing", syncing)
            json.entry("working", working)
            json.entry("writing", writing)
        }
    }
}

extension Timeline.Series: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("sums", sums)
            json.entry("width", width)
        }
    }
}
