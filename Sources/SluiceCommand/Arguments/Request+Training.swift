import Sluice
import SystemPackage
import ZstdCodec

/// How a dictionary is made.
extension Request {
    mutating func settleTraining() throws(UsageError) {
        guard settings.command.heeds.contains(.training) else { return }
        var trainer = DictionaryTrainer()
        if let words = self.trainer { try trainer.take(words) }
        if let selectivity { trainer.selectivity = selectivity }
        trainer.level = settings.compression.options.level
        trainer.identifier = dictionaryIdentifier
        if let dictionarySize { trainer.sizeLimit = Int(clamping: dictionarySize) }
        trainer.threads = settings.limits.threads
        let sampleSize = frameSize.flatMap { $0 > 0 ? Int(clamping: $0) : nil }
        settings.training = Training(trainer: trainer, sampleSize: sampleSize, memoryLimit: settings.limits.memory)
        if settings.output.destination == .derived { settings.output.destination = .path("dictionary") }
        if settings.output.removesSource {
            settings.output.removesSource = false
            warn("--rm is ignored: samples are kept")
        }
    }
}

extension DictionaryTrainer {
    /// Takes a method and its parameters, such as `cover=k=200,d=8`.
    fileprivate mutating func take(_ words: String) throws(UsageError) {
        let parts = words.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let methods: [String: Method] = ["cover": .cover, "fastcover": .fastCover, "legacy": .legacy]
        guard let method = methods[String(parts[0])] else {
            throw UsageError("--trainer takes cover, fastcover or legacy, with parameters such as cover=k=200,d=8")
        }
        self = DictionaryTrainer(method)
        guard parts.count == 2 else { return }
        for word in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            guard take(number: word) else {
                let word = FilePath(String(word)).printable
                throw UsageError("--train-\(parts[0]) takes parameters such as \(method.example), not \(word)")
            }
        }
    }

    /// Returns whether the method has such a number.
    private mutating func take(number word: Substring) -> Bool {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // The one that may stand without its number.
        if word == "shrink", method != .legacy {
            shrinkRegression = 1
            return true
        }
        guard parts.count == 2, let number = ByteCount.parse(String(parts[1])) else { return false }
        let value = Int(clamping: number)
        switch (parts[0], method) {
        case ("s", .legacy), ("selectivity", .legacy): selectivity = value
        case ("k", .cover), ("k", .fastCover): segmentSize = value
        case ("d", .cover), ("d", .fastCover): matchSize = value
        case ("steps", .cover), ("steps", .fastCover): steps = value
        case ("split", .cover), ("split", .fastCover): split = Double(value) / 100
        case ("shrink", .cover), ("shrink", .fastCover): shrinkRegression = value
        case ("f", .fastCover): frequencyLog = value
        case ("accel", .fastCover): acceleration = value
        default: return false
        }
        return true
    }
}

extension DictionaryTrainer.Method {
    /// Numbers that make sense, for a sentence.
    fileprivate var example: String {
        switch self {
        case .cover: "k=200,d=8,steps=4,split=80,shrink=2"
        case .fastCover: "k=200,d=8,f=20,steps=4,split=75,accel=2,shrink=2"
        case .legacy: "s=9"
        }
    }
}
