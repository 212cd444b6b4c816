import Sluice
import SystemPackage
import ZstdCodec

/// How a dictionary is made.
extension Settings {
    mutating func takeTraining(_ options: Options, _ special: DictionaryOptions?) throws(UsageError) {
        let limit = try Self.bytes(special?.sizeLimit, for: "--maxdict")
        guard verb.heeds.contains(.training) else {
            if limit != nil || special?.identifier != nil || special?.trainer != nil || special?.selectivity != nil {
                warnings.append("what is said of a dictionary to be made is ignored without --train")
            }
            return
        }
        var trainer = DictionaryTrainer()
        if let words = special?.trainer { try trainer.take(words) }
        if let selectivity = special?.selectivity { trainer.selectivity = selectivity }
        trainer.level = compression.level
        trainer.identifier = special?.identifier ?? 0
        if let limit { trainer.sizeLimit = Int(clamping: limit) }
        trainer.threads = threads
        let sampleSize = try Self.bytes(options.compression.frameSize, for: "-B").map { Int(clamping: $0) }
        training = Training(
            trainer: trainer, sampleSize: sampleSize.flatMap { $0 > 0 ? $0 : nil },
            memoryLimit: try Self.bytes(options.limits.memory, for: "-M").flatMap { $0 > 0 ? $0 : nil })
        if output == .derived { output = .path("dictionary") }
        if removesSource {
            removesSource = false
            warnings.append("the samples stay: --rm is for what becomes a file of its own")
        }
    }
}

extension DictionaryTrainer {
    /// Takes a method and its numbers, such as `cover=k=200,d=8`.
    fileprivate mutating func take(_ words: String) throws(UsageError) {
        let parts = words.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let methods: [String: Method] = ["cover": .cover, "fastcover": .fastCover, "legacy": .legacy]
        guard let method = methods[String(parts[0])] else {
            throw UsageError("--trainer takes cover, fastcover or legacy, with numbers such as cover=k=200,d=8")
        }
        self = DictionaryTrainer(method)
        guard parts.count == 2 else { return }
        for word in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            guard take(number: word) else {
                let word = FilePath(String(word)).printable
                throw UsageError("--train-\(parts[0]) takes numbers such as \(method.example), not \(word)")
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
