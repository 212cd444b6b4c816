/// A diagram of curves, as an SVG image with a legend and a caption.
struct Diagram {
    struct Curve {
        let name: String
        /// The CSS class.
        let style: String
        /// A value for each stretch, from left to right; nil for a gap.
        let values: [Double?]
    }

    let name: String
    let title: String
    let caption: String
    /// The length of a stretch, in units of the horizontal axis.
    let stretch: Double
    let horizontal: Axis
    let vertical: Axis
    let curves: [Curve]

    private static let (width, height) = (520.0, 240.0)
    // Margins for labels, which are larger on small screens.
    private static let (left, right, top, bottom) = (56.0, 506.0, 26.0, 208.0)

    /// The HTML element.
    var figure: String {
        """
        <figure>
        <figcaption><h2 id="\(name)-title">\(HTML.escape(title))</h2>\(legend)</figcaption>
        <svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" aria-labelledby="\(name)-title" \
        aria-describedby="\(name)-caption" xmlns="http://www.w3.org/2000/svg">
        <title>\(HTML.escape(title))</title>
        \(grid)
        \(curves.map(path).joined(separator: "\n"))
        </svg>
        <p id="\(name)-caption">\(HTML.escape(caption))</p>
        </figure>
        """
    }

    private var legend: String {
        guard curves.count > 1 else { return "" }
        let items = curves.map { "<li class=\"\($0.style)\">\(HTML.escape($0.name))</li>" }
        return "<ul>\(items.joined())</ul>"
    }

    private var grid: String {
        let lines = vertical.ticks.map { tick in
            let y = Self.text(y(tick))
            return """
                <path class="grid" d="M\(Self.text(Self.left)) \(y)H\(Self.text(Self.right))"/>\
                <text class="left" x="\(Self.text(Self.left - 7))" y="\(y)" dy=".35em">\(vertical.label(tick))</text>
                """
        }
        let marks = horizontal.ticks.map { tick in
            let x = Self.text(x(tick))
            let label = "\(horizontal.label(tick)) \(horizontal.unit)"
            return """
                <path class="mark" d="M\(x) \(Self.text(Self.bottom))v5"/>\
                <text class="\(anchor(tick))" x="\(x)" y="\(Self.text(Self.bottom + 9))" dy=".9em">\(label)</text>
                """
        }
        let unit = "<text class=\"left\" x=\"\(Self.text(Self.left - 7))\" y=\"12\">\(vertical.unit)</text>"
        return (lines + marks + [unit]).joined(separator: "\n")
    }

    /// Keeps a label at the right end within the image.
    private func anchor(_ tick: Double) -> String { horizontal.position(of: tick) > 0.93 ? "left" : "middle" }

    /// A line that is constant over each stretch.
    private func path(_ curve: Curve) -> String {
        var line = ""
        var wasDrawn = false
        for (index, value) in curve.values.enumerated() {
            let start = Double(index) * stretch
            guard let value, value.isFinite, start < horizontal.upper else {
                wasDrawn = false
                continue
            }
            // The last stretch extends to the end.
            let end = index == curve.values.count - 1 ? horizontal.upper : start + stretch
            line += wasDrawn ? "V\(Self.text(y(value)))" : "M\(Self.text(x(start))) \(Self.text(y(value)))"
            line += "H\(Self.text(x(end)))"
            wasDrawn = true
        }
        return "<path class=\"curve \(curve.style)\" d=\"\(line)\"/>"
    }

    private func x(_ value: Double) -> Double { Self.left + (Self.right - Self.left) * horizontal.position(of: value) }
    private func y(_ value: Double) -> Double { Self.bottom - (Self.bottom - Self.top) * vertical.position(of: value) }

    private static func text(_ number: Double) -> String { ByteCount.shortest(number, digits: 1) }
}
