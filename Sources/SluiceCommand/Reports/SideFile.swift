import Glibc
import Sluice
import SystemPackage

/// A file for what is said about a run: statistics, a report, a trace. It is opened before the run begins.
struct SideFile: ~Copyable {
    private let output: Output
    /// The file that had the name before the run.
    private let replaced: FileIdentity?

    /// - Parameter inputs: what is read, and must not be written.
    /// - Throws: why the file can't be written, while there is still time to say it.
    init(_ path: FilePath, inputs: [FileIdentity], _ settings: Settings, _ console: Console) throws(Complaint) {
        replaced = try? FileIdentity(at: path)
        output = try Output(at: path, inputs: inputs, isReplacing: settings.isForced, settings, console: console)
    }

    /// Appends text.
    func write(_ text: String) throws(Complaint) {
        guard let sink = output.sink else { return }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            do throws(Errno) {
                bytes = try bytes.dropFirst(
                    systemCall {
                        bytes.withUnsafeBytes { Glibc.write(sink.descriptor.rawValue, $0.baseAddress, $0.count) }
                    })
            } catch {
                throw Complaint(.writing(error), source: output.name, target: output.name)
            }
        }
    }

    /// Gives the file its name.
    consuming func finish() throws(Complaint) {
        let name = output.name
        // The run's own output may have the name by now; the data is worth more than what is said about it.
        let isFree = (try? FileIdentity(at: name)).map { file in replaced?.isSameFile(as: file) ?? false } ?? true
        guard !output.isFile || isFree else { throw Complaint(name, "was created meanwhile: not replaced") }
        do throws(Failure) {
            try output.commit(metadataOf: nil, isSynced: false)
        } catch {
            throw Complaint(error, source: name, target: name)
        }
    }
}
