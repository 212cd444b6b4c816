internal import Glibc

/// The machine of a run, as far as /proc and the kernel describe it.
package struct Machine: Equatable, Sendable {
    package var cpuModel: String?
    /// CPUs that the process may use.
    package var cpus: Int
    /// Bytes of memory of the machine; a control group may grant less.
    package var memoryBytes: UInt64?
    /// The kernel's name, release and architecture.
    package var kernel: String?
    /// The name of the distribution.
    package var system: String?

    /// Names the distribution; a sandbox has to leave it readable.
    package static let systemFile: FilePath = "/etc/os-release"

    /// Bytes of memory; nil if they can't be determined.
    package static var memory: UInt64? {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        let (bytes, isTooMuch) = UInt64(max(0, pages)).multipliedReportingOverflow(by: UInt64(max(0, size)))
        return bytes > 0 && !isTooMuch ? bytes : nil
    }

    package init() {
        cpuModel = Self.value(of: "model name", in: readText(processorsFile), separator: ":")
        cpus = availableProcessors()
        memoryBytes = Self.memory
        kernel = Self.kernelName
        system = Self.value(of: "PRETTY_NAME", in: readText(Self.systemFile.string), separator: "=")
    }

    /// The value in the first line with that name, without margins and quotes.
    private static func value(of name: String, in text: String, separator: Character) -> String? {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: separator, maxSplits: 1).map(trimmed)
            if fields.count == 2, fields[0] == name { return fields[1].isEmpty ? nil : fields[1] }
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

    /// The text of a C array, which Swift imports as a tuple.
    private static func text(of field: some Any) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// The resources that the process has used since it began (`getrusage`).
package struct ProcessUsage: Equatable, Sendable {
    /// Processor time in the program itself.
    package var userSeconds: Double
    /// Processor time in the kernel.
    package var systemSeconds: Double
    package var peakMemoryBytes: UInt64
    package var voluntaryContextSwitches: Int
    package var involuntaryContextSwitches: Int
    /// Page faults that did not read from a disk.
    package var minorPageFaults: Int
    /// Page faults that read from a disk.
    package var majorPageFaults: Int

    package init() {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        userSeconds = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
        systemSeconds = Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
        // Both are in KiB. `ru_maxrss`, used without /proc, includes the memory of the process that started this one.
        let ownPeak = processStatus("VmHWM").flatMap { UInt64($0) }
        peakMemoryBytes = (ownPeak ?? UInt64(max(0, usage.ru_maxrss))) << 10
        voluntaryContextSwitches = usage.ru_nvcsw
        involuntaryContextSwitches = usage.ru_nivcsw
        minorPageFaults = usage.ru_minflt
        majorPageFaults = usage.ru_majflt
    }
}
