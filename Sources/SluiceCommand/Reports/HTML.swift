import Sluice
import SystemPackage

/// Text for a page.
enum HTML {
    /// Text, as it stands between tags and in quoted attributes.
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

    /// The name of a file, to be escaped.
    static func name(_ name: String) -> String { FilePath(name).printable }

    /// A figure as people read it, with the number itself for programs.
    static func data(_ text: String, _ value: some Numeric, key: String? = nil) -> String {
        let id = key.map { " id=\"\($0)\"" } ?? ""
        return "<data\(id) value=\"\(value)\">\(escape(text))</data>"
    }

    /// JSON inside a `script` element: nothing in it may look like a tag.
    static func script(id: String, json: String) -> String {
        "<script type=\"application/json\" id=\"\(id)\">\n\(json.replacing("<", with: "\\u003c"))\n</script>"
    }
}
