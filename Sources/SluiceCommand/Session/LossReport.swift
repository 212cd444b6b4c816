import SluiceEngine

/// Messages about the content that a damaged file has lost.
struct LossReport {
    /// Further ranges are only counted.
    private static let mostLines = 100

    let lost: LostContent
    let name: FilePath
    /// Whether the intact content was written, rather than only checked.
    let isWritten: Bool

    /// Whether everything is lost, as with a patch whose reference is missing, or without a dictionary.
    var mayNeedReference: Bool { lost.ranges.first?.reason == "\(CodecFailure.patchWithoutReference)" }

    /// One sentence that sums up the losses.
    var summary: String {
        let places = lost.count.counted("place")
        let recovered = "\(lost.recovered.counted("byte")) \(isWritten ? "recovered" : "intact")"
        guard lost.isOfContent else {
            return "\(title): all content is \(isWritten ? "recovered" : "intact"); \(damage)"
        }
        let known = lost.contentSize > 0 ? "\(lost.contentSize) lost" : "an unknown number lost"
        let more = lost.isExact || lost.contentSize == 0 ? "" : " or more"
        return "\(title): \(recovered), \(known)\(more), in \(places)"
    }

    /// What the file's parity has repaired; nil if nothing.
    var repairs: String? {
        guard lost.repairs > 0 else { return nil }
        return "\(title): \(lost.repairedBytes.counted("byte")) in \(lost.repairs.counted("place")) repaired by parity"
    }

    /// A sentence for each range.
    var lines: [String] {
        var lines = lost.ranges.prefix(Self.mostLines).map(line)
        let further = lost.count - lines.count
        if further > 0 { lines.append("\(further.counted("more place")): --json lists them") }
        if lost.endsUnproved {
            lines.append("the last frame is \(isWritten ? "recovered" : "counted") up to the cut, without its checksum")
        }
        return lines.map { "\(title): \($0)" }
    }

    /// What is damaged although no content is lost.
    private var damage: String {
        lost.complaint ?? (lost.ranges.count == 1 ? lost.ranges[0].reason : "damaged in \(lost.count.counted("place"))")
    }

    private var title: String { Operand.name(of: name).printable }

    private func line(_ range: LostRange) -> String {
        let (start, end) = (range.input.lowerBound, range.input.upperBound)
        let place = range.input.isEmpty ? "at byte \(start)" : "bytes \(start) to \(end - 1)"
        return "\(place): \(content(of: range)): \(range.reason)"
    }

    private func content(of range: LostRange) -> String {
        let (start, size) = (range.contentOffset, range.contentSize)
        if size == 0 { return range.isExact ? "no content lost" : "an unknown amount lost after content byte \(start)" }
        let zeros = range.filled > 0 ? ", now zeros" : ""
        return "lost bytes \(start) to \(start + size - 1) of the content\(range.isExact ? "" : " or more")\(zeros)"
    }
}

/// As docs/recovery.schema.json describes it.
extension LossReport: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("damage", lost.isOfDamage ? damage : nil)
            json.entry("exact", lost.isExact)
            json.entry("lostBytes", lost.contentSize)
            json.entry("lostInputBytes", lost.inputSize)
            json.entry("name", name, base64: "nameBase64")
            json.entry("rangeCount", lost.count)
            json.entry("ranges", lost.ranges)
            json.entry("recoveredBytes", lost.recovered)
            json.entry("repaired", lost.repairedBytes)
            json.entry("unprovedEnd", lost.endsUnproved)
            json.entry("zeroBytes", lost.filled)
        }
    }
}

extension LostRange: JSONValue {
    func write(to json: inout JSON) {
        json.object { json in
            json.entry("contentBytes", contentSize)
            json.entry("contentOffset", contentOffset)
            json.entry("exact", isExact)
            json.entry("inputBytes", input.count)
            json.entry("inputOffset", input.lowerBound)
            json.entry("reason", reason)
            json.entry("zeroBytes", filled)
        }
    }
}
