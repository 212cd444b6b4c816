import Sluice

/// Settles how a dictionary is trained.
extension Request {
    mutating func settleTraining() throws(UsageError) {
        guard heeds(.training) else { return }
        if let trainer { try settings.trainer.take(trainer) }
        if let selectivity { settings.trainer.selectivity = selectivity }
        if settings.output.destination == .derived { settings.output.destination = .path("dictionary") }
        if settings.output.removesSource {
            settings.output.removesSource = false
            warn("--rm is ignored: samples are kept")
        }
    }
}

extension DictionaryTrainer {
    /// Sets a method and its parameters, such as `cover=k=200,d=8`.
    fileprivate mutating func take(_ words: String) throws(UsageError) {
        let parts = words.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let methods: [String: Method] = ["cover": .cover, "fastcover": .fastCover, "legacy": .legacy]
        guard let method = methods[String(parts[0])] else {
            throw UsageError("--trainer takes cover, fastcover or legacy, with parameters such as cover=k=200,d=8")
        }
        self.method = method
        guard parts.count == 2 else { return }
        for word in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            guard take(number: word) else {
                let word = String(word).printable
                throw UsageError("--train-\(parts[0]) takes parameters such as \(method.example), not \(word)")
            }
        }
    }

    /// Sets a parameter; returns whether the method has it.
    private mutating func take(number word: Substring) -> Bool {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // The only parameter that needs no number.
        if word == "shrink", method != .legacy {
            shrinkRegression = 1
            return true
        }
        guard parts.count == 2, let number = ByteCount.parse(String(parts[1])) else { return false }
        let value = Int(clamping: number)
        switch (parts[0], method.name) {
        case ("s", .legacy), ("selectivity", .legacy): selectivity = value
        case (_, .legacy): return false
        case ("k", _): segmentSize = value
        case ("d", _): matchSize = value
        case ("steps", _): steps = value
        case ("split", _): split = Double(value) / 100
        case ("shrink", _): shrinkRegression = value
        case ("f", .fastCover): frequencyLog = value
        case ("accel", .fastCover): acceleration = value
        default: return false
        }
        return true
    }
}

extension DictionaryTrainer.Method {
    /// Typical parameters, for messages.
    fileprivate var example: String {
        switch name {
        case .cover: "k=200,d=8,steps=4,split=80,shrink=2"
        case .fastCover: "k=200,d=8,f=20,steps=4,split=75,accel=2,shrink=2"
        case .legacy: "s=9"
        }
    }
}
