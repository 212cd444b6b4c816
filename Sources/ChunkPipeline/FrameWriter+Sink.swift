package import ByteStreams

extension FrameWriter {
    /// Writes to a descriptor's sink: past the page cache or through it, with holes or without, and nothing that an
    /// earlier run has left there.
    ///
    /// - Parameters:
    ///   - sink: its descriptor stays open; nil checks the frames and writes nothing.
    ///   - areCompressed: whether frames are made from content: seldom read next, they may bypass the page cache, and
    ///     those that an earlier run has left are replaced where they differ.
    package convenience init(
        _ sink: Sink?, order: FrameOrder, areCompressed: Bool = false, latch: FailureLatch, monitor: Monitor?
    ) {
        let hasBlocks = areCompressed && sink?.takesBlocks == true
        let leavesHoles = !hasBlocks && sink?.takesHoles == true
        let kept = sink?.kept(replacesOthers: areCompressed)
        let queue = OutputQueue(sink?.open(hasBlocks: hasBlocks), monitor: monitor)
        self.init(order, to: queue, leavesHoles: leavesHoles, latch: latch, monitor: monitor)
        if hasBlocks { surround { BlockSink($0) { [weak self] in self?.advanceLater() } } }
        if leavesHoles { surround(HoleSink.init) }
        if let kept { surround { KeptSink($0, kept) } }
    }
}
