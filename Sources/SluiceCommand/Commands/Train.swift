import SluiceEngine

/// Trains a dictionary on sample files.
struct Train: Command {
    let activity = Activity("train", noun: "training", content: .input)
    let optionGroups: OptionGroups = .training

    func run(_ settings: Settings, _ console: Console) throws(Complaint) -> Int32 {
        guard !settings.operands.isEmpty else {
            var complaint = Complaint(
                "--train needs sample files", hint: "use hundreds of small files, or cut large ones with -B")
            complaint.exitCode = exitCode(samples: 0, settings)
            throw complaint
        }
        let signals = Signals(latch: FailureLatch(), inputEnd: InputEnd(), console: console)
        signals.start()
        defer { withExtendedLifetime(signals) {} }
        let target = settings.output.destination.path
        // Obstacles are reported before the work begins.
        if let target { try ProtectedFiles(settings).refuseSource(target) }
        let output = try Output.chosen(
            for: target.map { OutputPlace($0) }, inputs: settings.operands.compactMap(Operand.identity), settings,
            asking: settings.asking(console))
        let queue = OperandQueue(settings, console)
        var access = CommonAccess()
        let samples = try samples(queue.next(.max), settings, console, &access)
        let dictionary = try train(on: samples, settings, console)
        let name = output.name
        do throws(Failure) { try output.write(dictionary) } catch { throw Complaint(error, source: name) }
        try output.commit(metadataOf: nil, within: access, isSynced: settings.output.isSynced)
        if settings.reporting.quietness == 0 {
            let source = "\(samples.count) samples, \(ByteCount.format(samples.byteCount))"
            console.write("\(name.printable): \(ByteCount.format(dictionary.count)) from \(source)\n")
        }
        return queue.failures == 0 ? 0 : 1
    }

    /// Shuffles the files, so that test samples resemble training samples, and all kinds are represented if not all
    /// files fit. The order is zstd's: the same files make the same dictionary.
    private static func shuffled(_ operands: [Operand]) -> [Operand] {
        var operands = operands
        var state: UInt32 = 0xFD2F_B528
        for last in stride(from: operands.count - 1, to: 0, by: -1) {
            // The first two primes of xxHash.
            state = (state &* 2_654_435_761) ^ 2_246_822_519
            state = state << 13 | state >> 19
            operands.swapAt(Int(state >> 5) % (last + 1), last)
        }
        return operands
    }

    /// Reads the files, as many as fit.
    private func samples(
        _ operands: [Operand], _ settings: Settings, _ console: Console, _ access: inout CommonAccess
    ) throws(Complaint) -> DictionarySamples {
        var samples = DictionarySamples()
        let limit = min(settings.limits.memory ?? .max, UInt64(DictionarySamples.totalLimit))
        for operand in Self.shuffled(operands) {
            let hasRoom: Bool
            do throws(Complaint) {
                hasRoom = try take(operand, settings, limit: Int(limit), &samples, &access)
            } catch {
                var complaint = error
                complaint.exitCode = exitCode(samples: operands.count - 1, settings)
                throw complaint
            }
            guard hasRoom else {
                console.warn("too many samples: using only the first \(ByteCount.format(samples.byteCount))")
                break
            }
        }
        return samples
    }

    /// Adds a file as one sample, or cut into several.
    ///
    /// - Parameter limit: bytes of all the samples.
    /// - Returns: whether all of it fitted.
    private func take(
        _ operand: Operand, _ settings: Settings, limit: Int, _ samples: inout DictionarySamples,
        _ access: inout CommonAccess
    ) throws(Complaint) -> Bool {
        let input = try Input(operand, settings)
        let descriptor = try Complaint.about(source: input.name, input.source.requireDescriptor())
        access.narrow(to: descriptor)
        let cut = settings.compression.options.frameSize
        var sample = [UInt8](repeating: 0, count: min(cut ?? .max, DictionarySamples.sampleLimit))
        repeat {
            let count = try Complaint.about(
                source: input.name, Failure.reading(descriptor.fill(&sample)))
            guard samples.byteCount + count <= limit, samples.append(sample.span.bytes.extracting(..<count)) else {
                return false
            }
            if count < sample.count { return true }
        } while cut != nil
        return true
    }

    private func train(
        on samples: DictionarySamples, _ settings: Settings, _ console: Console
    ) throws(Complaint) -> [UInt8] {
        var trainer = settings.trainer
        (trainer.level, trainer.threads) = (settings.compression.options.level, settings.limits.threads)
        if samples.count >= DictionaryTrainer.fewestSamples, samples.byteCount / 8 < trainer.sizeLimit {
            let (size, wanted) = (ByteCount.format(samples.byteCount), ByteCount.format(trainer.sizeLimit))
            console.warn("the samples total \(size), which is little for a dictionary of \(wanted)")
        }
        do throws(CodecFailure) {
            return try trainer.makeDictionary(from: samples)
        } catch {
            var complaint = Complaint("\(error)", hint: error.trainingHint)
            complaint.exitCode = exitCode(samples: samples.count, settings)
            throw complaint
        }
    }

    /// zstd has its own exit code for too few samples, including none.
    private func exitCode(samples: Int, _ settings: Settings) -> Int32 {
        settings.followsZstd && samples < DictionaryTrainer.fewestSamples ? 14 : 1
    }
}

extension CodecFailure {
    /// Advice for too few samples.
    fileprivate var trainingHint: String? {
        guard case .training = self else { return nil }
        return "use more samples, cut large ones with -B, or reduce --maxdict"
    }
}
