internal import CJansson
import Glibc
import Sluice

extension PartNumber {
    /// A name that sorts in the order of the parts, such as `07-of-12`.
    var name: String { "\(String(number).padded(String(count).count, with: "0"))-of-\(count)" }
}

/// The statistics of the run that made a part of a file: `K-of-N.json`, in one directory for all parts.
enum PartRecord {
    /// The largest file, in bytes.
    private static let largest = 1 << 20

    /// The file name for a part, with numbers of one length.
    static func name(of part: PartNumber) -> FilePath.Component? {
        FilePath.Component("\(part.name).json")
    }

    /// Reads the statistics of all parts.
    ///
    /// - Parameter contentSize: returns the bytes of a part's content.
    /// - Throws: which file is missing, or describes another part.
    static func parts(
        in folder: FilePath, count: Int, contentSize: (PartNumber) -> UInt64
    ) throws(Complaint) -> Statistics.Parts {
        var runs: [Statistics.PartRun] = []
        for number in 1...max(1, count) {
            guard let part = PartNumber(number, of: count), let name = name(of: part) else { continue }
            runs.append(try run(of: part, contentSize(part), at: folder.appending(name)))
        }
        return Statistics.Parts(runs)
    }

    private static func read(_ path: FilePath) throws(Errno) -> [UInt8] {
        let descriptor = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
        defer { try? descriptor.close() }
        var buffer = [UInt8](repeating: 0, count: largest)
        return Array(buffer[..<(try descriptor.fill(&buffer))])
    }

    private static func run(
        of part: PartNumber, _ contentSize: UInt64, at path: FilePath
    ) throws(Complaint) -> Statistics.PartRun {
        let bytes = try Complaint.about(
            path, cant: "read the statistics of \(part)",
            hint: "write them with --part and --stats-file=\(path.folder.quoted)", read(path))
        guard let record = JSONObject(bytes), record.text("outcome") == "success",
            record.count("run", "part", "number") == UInt64(part.number),
            record.count("run", "part", "count") == UInt64(part.count),
            record.count("contentBytes") == contentSize, let elapsedSeconds = record.number("elapsedSeconds"),
            let userSeconds = record.number("process", "userSeconds"),
            let systemSeconds = record.number("process", "systemSeconds"),
            let bytesIn = record.count("bytesIn"), let bytesOut = record.count("bytesOut")
        else { throw Complaint(path, "is not the record of a run that made \(part), \(contentSize.counted("byte"))") }
        var run = Statistics.PartRun(part: part.number, elapsedSeconds: elapsedSeconds, contentBytes: contentSize)
        run.cpuSeconds = userSeconds + systemSeconds
        (run.bytesIn, run.bytesOut, run.limitedBy) = (bytesIn, bytesOut, record.text("limitedBy"))
        return run
    }
}

/// An object that jansson read from JSON, which may come from anywhere.
struct JSONObject: ~Copyable {
    private let root: UnsafeMutablePointer<json_t>

    /// - Returns: nil if the bytes are anything else.
    init?(_ bytes: [UInt8]) {
        let value = bytes.withUnsafeBytes {
            json_loadb($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, 0, nil)
        }
        guard let value else { return nil }
        root = value
    }

    deinit { json_decref(root) }

    /// The number with these names, one inside another.
    func number(_ names: String...) -> Double? {
        let value = value(names)
        return value?.pointee.type == JSON_INTEGER || value?.pointee.type == JSON_REAL ? json_number_value(value) : nil
    }

    /// The whole number with these names, if it is not negative.
    func count(_ names: String...) -> UInt64? {
        let value = value(names)
        return value?.pointee.type == JSON_INTEGER ? UInt64(exactly: json_integer_value(value)) : nil
    }

    func text(_ name: String) -> String? { json_string_value(value([name])).map { String(cString: $0) } }

    private func value(_ names: [String]) -> UnsafeMutablePointer<json_t>? {
        names.reduce(root) { value, name in json_object_get(value, name) }
    }
}
