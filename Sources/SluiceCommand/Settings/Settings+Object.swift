import SluiceEngine

/// An object of a store as the output.
extension Settings {
    /// Whether compressed data makes it.
    private var isCompressed: Bool { activity.content == .input }

    /// What an object is, as the store is told: decompressed data may be anything.
    var objectType: String? { isCompressed ? "application/zstd" : nil }

    /// How the object is divided.
    ///
    /// - Parameters:
    ///   - size: of the source; nil if it is not known.
    ///   - available: bytes of memory; nil if that is not known.
    func partPlan(of size: UInt64?, available: UInt64?) throws(Complaint) -> PartPlan {
        // For the parts that are under way, of which one may be larger where nothing limits the memory.
        let quarter = min(limits.memory ?? .max, available ?? .max) / 4
        let memoryOfUpload = min(PartPlan.usualMemory, Int(clamping: quarter))
        // What is compressed becomes hardly larger; what is decompressed may become anything, unless the options say
        // it.
        let given = input.streamSize ?? input.sizeHint ?? (activity.content == .output ? nil : size)
        // Most of the parity is a share of it; of small files it may be more, which always finds room.
        let expected = given.map { size in
            compression.parity.map { size.addingClamped(size / 100 * UInt64($0)) } ?? size
        }
        let parts: PartPlan.Size =
            output.uploadPart.map { .parts($0) } ?? expected.map { .expected($0.addingClamped($0 / 128)) }
            ?? .unknown
        let plan = PartPlan(parts, memory: memoryOfUpload, connections: input.remote.options.connections)
        if limits.memory != nil, plan.most > memoryOfUpload {
            let first = ByteCount.format(UInt64(plan.size(of: 1) ?? plan.most))
            throw .usage(
                "parts of \(first) need more memory than -M leaves for them, a quarter",
                hint: "-M with four times as much, or smaller parts with --upload-part")
        }
        let isExact = activity.content == .both && input.sizeHint == nil
        if isExact, let expected, expected > plan.capacity { throw .usage(plan.refusal) }
        return plan
    }

    /// Everything that decides the bytes of an object and of its parts: by that a later run knows whether it would
    /// write the same. Memory that is scarce may make frames smaller: then parts differ, and are sent again.
    ///
    /// - Parameter operation: how the output is made.
    func recipe(of source: FileIdentity, _ operation: String) -> String {
        let sizes = [output.uploadPart.map { UInt64($0) }, limits.memory, input.streamSize, input.sizeHint]
        return "\(operation)\n\(source.state)\n\(sizes.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " "))"
    }

    /// - Throws: the first option that needs a file as the output.
    func checkObject() throws(Complaint) {
        guard let path = output.destination.object else { return }
        func refuse(_ sentence: String, hint: String? = nil) -> Complaint {
            Complaint(path, sentence, hint: hint)
        }
        if operands.contains(path) { throw refuse("is the input and the output") }
        if let option = fileOption { throw refuse("--\(option) needs a file of this machine, not an object") }
        if input.isDecoded { throw refuse("--recompress makes a file of this machine, not an object") }
        guard activity.hasOutput else { return }
        if input.isRecursive || operands.count > 1 || !input.fileLists.isEmpty {
            throw refuse(
                "several files into one object can't be separated again: not done",
                hint: "tar -c DIR | sluice --members -o \(path.quoted) packs a directory")
        }
    }

    /// The name of an option that makes what only a file can be; nil for none.
    private var fileOption: String? {
        let groups = command.optionGroups
        if groups.contains(.growing) || groups.contains(.joining) || groups.contains(.training) { return activity.name }
        if command.part != nil { return "part" }
        // Nobody can read the object before its end, and a signal that ends the input would make an object of a part.
        if compression.flushInterval != nil { return "flush-interval" }
        return decoding.following != nil ? "follow" : nil
    }
}
