import Sluice

/// Text for HTML pages.
enum HTML {
    /// Escapes text for use between tags and in quoted attributes.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A file name with control characters made harmless, not yet escaped.
    static func name(_ name: String) -> String { FilePath(name).printable }

    /// A formatted number, with its exact value for programs.
    static func data(_ text: String, _ value: some Numeric, key: String? = nil) -> String {
        let id = key.map { " id=\"\($0)\"" } ?? ""
        return "<data\(id) value=\"\(value)\">\(escape(text))</data>"
    }

    /// A `script` element with JSON, in which nothing may look like a tag.
    static func script(id: String, json: String) -> String {
        "<script type=\"application/json\" id=\"\(id)\">\n\(json.exchanging("<", for: "\\u003c"))\n</script>"
    }
}
