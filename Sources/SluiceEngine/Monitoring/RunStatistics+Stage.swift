extension RunStatistics {
    /// The work of one stage, summed over all its threads.
    package struct Stage: Equatable, Sendable {
        /// Such as "read"; "work" for the workers, whose activity the run alone knows.
        package var name: String
        /// Bytes that went through; decompressed ones for the workers.
        package var bytes: UInt64
        /// How many reads, chunks, frames or writes there were.
        package var operations: UInt64
        package var busySeconds: Double
        /// Seconds in which the stage had nothing to do, or could not go on.
        package var waitingSeconds: Double
        package var bytesPerBusySecond: Double
        package var latencyP50Seconds: Double
        package var latencyP99Seconds: Double
        package var latencyMaxSeconds: Double
        /// How often a part was sent again; nil for other stages than the upload.
        package var retries: UInt64?

        fileprivate init(_ name: String, _ record: StageRecord, bytes: UInt64? = nil, busy: Double, waiting: Double) {
            self.name = name
            self.bytes = bytes ?? record.bytes
            operations = record.operations
            busySeconds = busy
            waitingSeconds = waiting
            bytesPerBusySecond = busy > 0 ? Double(self.bytes) / busy : 0
            latencyP50Seconds = record.latencies.seconds(atPercentile: 50)
            latencyP99Seconds = record.latencies.seconds(atPercentile: 99)
            latencyMaxSeconds = record.latencies.longest
        }
    }

    /// The stages in the order in which data goes through them.
    static func stages(_ recorder: Recorder, _ content: Activity.Content, elapsed: Double) -> [Stage] {
        let (read, work, write) = (recorder.record(of: .read), recorder.record(of: .work), recorder.record(of: .write))
        let (slot, idle) = (recorder.record(of: .slot), recorder.record(of: .idle))
        let blocks = recorder.record(of: .blocks)
        let ownBlocks = blocks.seconds - blocks.workersSeconds
        let (order, sync, name) = (recorder.record(of: .order), recorder.record(of: .sync), recorder.record(of: .name))
        var stages = [
            Stage("read", read, busy: read.seconds, waiting: slot.seconds),
            Stage("slot", slot, busy: 0, waiting: slot.seconds),
            Stage(
                "work", work, bytes: content.size(input: work.source, output: work.bytes),
                busy: work.seconds - ownBlocks, waiting: idle.seconds),
            Stage("order", order, busy: 0, waiting: order.seconds),
            Stage("write", write, busy: write.seconds, waiting: max(0, elapsed - write.seconds)),
            name.operations > 0
                ? Stage("name", name, busy: name.seconds, waiting: 0)
                : Stage("sync", sync, busy: sync.seconds, waiting: 0),
        ]
        let upload = recorder.record(of: .upload)
        if upload.operations > 0 {
            var stage = Stage("upload", upload, busy: upload.seconds, waiting: 0)
            stage.retries = upload.source
            stages.insert(stage, at: stages.count - 1)
        }
        if blocks.operations == 0 { return stages }
        let row = Stage("blocks", blocks, bytes: blocks.source, busy: blocks.seconds, waiting: 0)
        return stages[..<2] + [row] + stages[2...]
    }
}
