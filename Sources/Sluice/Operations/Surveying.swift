/// Decompresses everything, and keeps only where the frames lie.
struct Surveying: DecodingOperation {
    let survey: Survey
    let decompression: Decompression

    func run(on engine: Engine) throws(Failure) -> Int {
        let stages = decompression.makeStages(on: engine)
        return try decompression.run(on: engine) { [survey, decompression] () throws(Failure) in
            try SurveyTransform(
                survey, limits: decompression.limits, dictionary: decompression.dictionary, stages: stages)
        }
    }
}
