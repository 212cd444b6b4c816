/// Decompresses everything, and keeps only where the frames lie.
struct Surveying: Operation {
    let survey: Survey
    let decompression: Decompression

    var decompresses: Bool { true }
    var mayBypassCache: Bool { false }
    var slotSize: Int { decompression.slotSize }

    func memory(of size: RunSize) -> Int { decompression.memory(of: size) }

    func run(on engine: Engine) throws(Failure) -> Int {
        let stages = decompression.makeStages(on: engine)
        return try decompression.run(on: engine) { [survey, decompression] () throws(Failure) in
            try SurveyTransform(
                survey, limits: decompression.limits, dictionary: decompression.dictionary, stages: stages)
        }
    }
}
