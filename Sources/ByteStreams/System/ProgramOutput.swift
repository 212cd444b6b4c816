internal import CKernel
internal import Glibc
internal import Synchronization
package import SystemPackage

/// What a program wrote to its standard output, which is short.
package enum ProgramOutput {
    case bytes([UInt8])
    /// Why there is none, as the rest of a sentence whose subject is the program. It has nothing of the output.
    case flawed(String)
    case cancelled

    /// Runs a program and waits for its end, and that of what it has started. Its standard input is empty.
    ///
    /// - Parameters:
    ///   - words: the program and its arguments, at least one.
    ///   - seconds: after which it is ended.
    ///   - isCancelled: asked now and then; ends the program.
    package static func of(_ words: [[UInt8]], within seconds: Int, unless isCancelled: () -> Bool) -> ProgramOutput {
        do throws(Errno) {
            let helper = try Helper(words)
            defer { helper.dismiss() }
            return helper.run(within: seconds, unless: isCancelled)
        } catch {
            return .flawed("can't be run: \(error.sentence)")
        }
    }

    /// Calls a body with words as C has them.
    fileprivate static func withWords<Result>(
        _ words: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        // One region of memory for all, so that none can be missing.
        var bytes = words.flatMap { $0 + [0] }.map(CChar.init(bitPattern:))
        return bytes.withUnsafeMutableBufferPointer { bytes in
            var (pointers, next) = ([UnsafeMutablePointer<CChar>?](), bytes.baseAddress)
            for word in words {
                pointers.append(next)
                next = next.map { $0 + word.count + 1 }
            }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { pointers in
                guard let first = pointers.baseAddress else { preconditionFailure("it ends with nil") }
                return body(first)
            }
        }
    }

    private typealias Asking = @convention(c) (UnsafeMutableRawPointer?) -> Bool

    /// Calls a body with memory for the output, and what it needs to ask whether to go on.
    private static func reading(
        _ seconds: Int, _ isCancelled: () -> Bool,
        _ body: (
            UnsafeMutablePointer<UInt8>?, Int, Int32, Asking, UnsafeMutableRawPointer?, inout sluice_program_end
        ) -> Void
    ) -> ProgramOutput {
        var end = sluice_program_end()
        let limit = Int32(clamping: seconds * 1000)
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(SLUICE_PROGRAM_OUTPUT)) { memory, count in
            withoutActuallyEscaping(isCancelled) { isCancelled in
                var question = isCancelled
                withUnsafeMutablePointer(to: &question) { question in
                    let ask: Asking = { $0?.assumingMemoryBound(to: (() -> Bool).self).pointee() ?? false }
                    body(memory.baseAddress, memory.count, limit, ask, question, &end)
                }
            }
            count = end.count
        }
        if end.is_cancelled { return .cancelled }
        if let flaw = flaw(of: end, seconds) { return .flawed(flaw) }
        return .bytes(bytes)
    }

    private static func flaw(of end: sluice_program_end, _ seconds: Int) -> String? {
        if end.error != 0 { return "can't be run: \(Errno(rawValue: end.error).sentence)" }
        if end.is_late { return "took more than \(seconds) s" }
        if end.is_long { return "printed more than \(SLUICE_PROGRAM_OUTPUT >> 10) KiB" }
        if end.signal != 0 { return "was killed by signal \(end.signal)" }
        return end.exit_status == 0 ? nil : "exited with status \(end.exit_status)"
    }

    /// A process that runs a program each time that it is asked, and ends what that leaves running, but for daemons
    /// after a success. It is not confined, if this process confines itself afterwards.
    package final class Helper: Sendable {
        private let control: Int32
        private let process: Int32
        /// How often it was asked.
        private let count = Mutex<UInt32>(0)

        /// - Parameter words: the program and its arguments, at least one.
        package init(_ words: [[UInt8]]) throws(Errno) {
            let (error, control, process) = withWords(words) { words in
                var (control, process): (Int32, Int32) = (-1, -1)
                return (sluice_prepare_program(words, &control, &process), control, process)
            }
            if error != 0 { throw Errno(rawValue: error) }
            (self.control, self.process) = (control, process)
        }

        /// What the program prints now. One thread after the other.
        package func run(within seconds: Int, unless isCancelled: () -> Bool) -> ProgramOutput {
            count.withLock { count in
                count += 1
                let (control, number) = (control, count)
                return reading(seconds, isCancelled) { memory, size, limit, ask, context, end in
                    sluice_ask_program(control, number, memory, size, limit, ask, context, &end)
                }
            }
        }

        /// Ends the process, and with it what it runs. Nobody may ask it any more.
        package func dismiss() { sluice_dismiss_program(control, process) }
    }
}
