internal import ByteStreams
internal import Glibc
package import SystemPackage

/// The machine that a run had, as far as it tells: without /proc there is less to say.
package struct Machine: Encodable, Equatable, Sendable {
    /// As the kernel names it.
    package var cpuModel: String?
    /// CPUs that the process may use.
    package var cpus: Int
    /// Bytes of memory that the machine has; a control group may grant less.
    package var memoryBytes: UInt64?
    /// Its name, release and architecture.
    package var kernel: String?
    /// The distribution's own name.
    package var system: String?

    /// Tells the distribution's name; what confines the process has to leave it readable.
    package static let systemFile: FilePath = "/etc/os-release"

    /// Bytes of memory; nil if they can't be told.
    package static var memory: UInt64? {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        let (bytes, isTooMuch) = UInt64(max(0, pages)).multipliedReportingOverflow(by: UInt64(max(0, size)))
        return bytes > 0 && !isTooMuch ? bytes : nil
    }

    /// This machine.
    package init() {
        self.init(readText: readText)
    }

    /// - Parameter readText: the text of a file, empty if it can't be read.
    init(readText: (String) -> String) {
        cpuModel = Self.value(of: "model name", in: readText(processorsFile), separator: ":")
        cpus = availableProcessors()
        memoryBytes = Self.memory
        kernel = Self.kernelName
        system = Self.value(of: "PRETTY_NAME", in: readText(Self.systemFile.string), separator: "=")
    }

    /// The value in the first line of that name, without the quotes that it may have.
    private static func value(of name: String, in text: String, separator: Character) -> String? {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: separator, maxSplits: 1)
            guard parts.count == 2, trimmed(parts[0]) == name else { continue }
            let value = trimmed(parts[1])
            return value.isEmpty ? nil : value
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        let isMargin = { (character: Character) in character.isWhitespace || character == "\"" }
        return String(text.drop(while: isMargin).reversed().drop(while: isMargin).reversed())
    }

    private static var kernelName: String? {
        var names = utsname()
        guard uname(&names) == 0 else { return nil }
        return [text(of: names.sysname), text(of: names.release), text(of: names.machine)].joined(separator: " ")
    }

    /// The text of an array of C's, which Swift sees as a tuple.
    private static func text(of field: some Any) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
