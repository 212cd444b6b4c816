internal import Sluice
internal import SluiceEngine

extension Subject {
    /// What is whole is recovered as it is, and what is lost is told.
    package static let recovery = Subject("recovery") { input in
        var bytes = input
        let filling = LossFilling.allCases[Int(bytes.takeNumber(UInt8.self)) % LossFilling.allCases.count]
        let truth = Truth(of: bytes)
        if truth == .tooMuch { return }
        let file = try MemoryFile(bytes)
        let sink = try MemoryFile()
        // As many zeros as a table claims take no room.
        let summary = try? Job(Recovery(filling), threads: 2).run(
            from: Source(file.descriptor), to: Sink(sink.descriptor, isTemporary: true, leavesHoles: true))
        guard let lost = summary?.lost else { return }
        let size = try UInt64(sink.size)
        try promise(size == lost.recovered + lost.filled, "\(size) bytes are \(lost.recovered) and \(lost.filled)")
        guard case .content(let content) = truth else { return }
        if !lost.isOfDamage { try promise(try sink.content == content, "nothing is lost, and it is another content") }
        try promise(
            lost.recovered == UInt64(content.count), "of \(content.count) bytes \(lost.recovered) are recovered")
    }
}
