import Dispatch
import StreamTestSupport
import Testing

@testable import ByteStreams

@Suite(.timeLimit(.minutes(4)))
struct AlarmTests {
    @Test func `it sleeps until the time, again and again, and not at all for a time that is past`() async throws {
        let (wasAlone, seconds) = try await within {
            let alarm = Alarm()
            let start = DispatchTime.now()
            let wasAlone = (0..<5).allSatisfy { alarm.sleep(until: start + .milliseconds(20 * $0)) }
            return (wasAlone, Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9)
        }
        #expect(wasAlone)
        #expect(seconds >= 0.08)
    }

    @Test func `whoever sleeps is woken, and nobody sleeps after that`() async throws {
        let slept = try await within(10) {
            let alarm = Alarm()
            DispatchQueue(label: "test.wake").asyncAfter(deadline: .now() + 0.1) { alarm.cancel() }
            return [alarm.sleep(until: .distantFuture), alarm.sleep(until: .distantFuture)]
        }
        #expect(slept == [false, false])
    }
}
