import Foundation
import Testing

@testable import SluiceCommand
@testable import SluiceEngine

/// What programs are told at the end of a run with `--stats=json`.
@Suite struct StatisticsDocumentTests {
    private func document(_ activity: Activity, _ outcome: RunOutcome) -> StatisticsDocument {
        let recorder = Recorder()
        recorder.observe(StageSpan(stage: .read, bytes: 1000, start: 0, end: 100))
        recorder.observe(StageSpan(stage: .work, lane: 0, bytes: 400, source: 1000, start: 100, end: 200))
        recorder.observe(StageSpan(stage: .order, bytes: 400, source: 1000, start: 200, end: 300))
        recorder.observe(StageSpan(stage: .write, bytes: 420, start: 300, end: 500))
        let statistics = RunStatistics(recorder, Monitor([]), content: activity.content)
        return StatisticsDocument(
            activity: activity, statistics: statistics, outcome: outcome, bottleneck: "limited by its size", run: true)
    }

    private func object(_ document: StatisticsDocument) throws -> [String: Any] {
        let data = Data(JSON.page(document).utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `a run that succeeded tells its ratio and its bottleneck`() throws {
        let object = try object(document(.compress, RunOutcome(.success, files: 1, failedFiles: 0)))
        #expect(object["ratio"] as? Double == 1000.0 / 420)
        #expect(object["contentBytes"] as? Int == 1000)
        #expect(object["verdict"] as? String == "limited by its size")
        #expect(object["limitedBy"] is String && object["error"] == nil)
        let stages = try #require(object["stages"] as? [[String: Any]])
        #expect(stages.compactMap { $0["name"] as? String } == ["read", "slot", "compress", "order", "write", "sync"])
    }

    @Test(arguments: [RunOutcome.Ending.failure, .interrupted])
    func `a run that did not come to its end was limited by nothing, and says why`(_ ending: RunOutcome.Ending) throws {
        let outcome = RunOutcome(ending, error: "a: can't read", files: 0, failedFiles: 1)
        let object = try object(document(.compress, outcome))
        #expect(object["limitedBy"] == nil && object["ratio"] == nil)
        #expect((object["verdict"] as? String)?.hasSuffix("a: can't read") == true)
        #expect(object["error"] as? String == "a: can't read")
        #expect(object["outcome"] as? String == ending.rawValue)
    }

    @Test func `sizes that are not of the same content have no ratio`() throws {
        // Whole frames are decoded for a range: more than what is written.
        let object = try object(document(.decompress, RunOutcome(.success, files: 1, failedFiles: 0)))
        #expect(object["ratio"] == nil && object["limitedBy"] is String)
    }
}
