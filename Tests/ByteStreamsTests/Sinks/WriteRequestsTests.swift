import SystemPackage
import Testing

@testable import ByteStreams

/// When writes are asked for, and when never.
struct WriteRequestsTests {
    private func filled(_ count: Int, areThrownAway: Bool) -> WriteRequests {
        var requests = WriteRequests(areThrownAway: areThrownAway)
        for number in 0..<count {
            requests.append(WriteRequests.Request(Bytes([UInt8(number)]), after: 0) { _ in })
        }
        return requests
    }

    @Test func `writes of what may stay after a failure are asked for one by one, in order`() {
        var requests = filled(3, areThrownAway: false)
        for number in 0..<3 {
            #expect(requests.next()?.bytes.elements == [UInt8(number)])
            #expect(requests.next() == nil)
            requests.didEnd(1)
        }
        #expect(requests.next() == nil)
    }

    @Test func `writes of what is thrown away after a failure are asked for at once`() {
        var requests = filled(3, areThrownAway: true)
        #expect((0..<3).map { _ in requests.next()?.bytes.elements } == [[0], [1], [2]])
    }

    @Test(arguments: [false, true])
    func `after a failure nothing is asked for, and those that waited come back`(areThrownAway: Bool) {
        var requests = filled(3, areThrownAway: areThrownAway)
        #expect(requests.next() != nil)
        #expect(requests.didFail(.noSpace).dropped.map(\.bytes.elements) == [[1], [2]])
        #expect(requests.failure == .noSpace)
        #expect(requests.next() == nil)
    }
}
