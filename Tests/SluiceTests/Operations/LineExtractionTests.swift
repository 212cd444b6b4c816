import Dispatch
import StreamTestSupport
import Testing

@testable import SluiceEngine

/// The last lines of a file, and those at its start that each share begins with.
@Suite(.timeLimit(.minutes(4)))
struct LineExtractionTests {
    /// Operations that look for lines before they decode.
    enum Search: CaseIterable {
        case last, first

        func job() throws -> Job {
            switch self {
            case .last: return Job(LineExtraction(last: 1, endingIn: 10, Decompression()), threads: 2)
            case .first:
                let share = try #require(PartNumber(2, of: 2))
                return Job(ShareExtraction(share, headerLines: 1, Decompression()) { _ in }, threads: 2)
            }
        }
    }

    @Test(arguments: Search.allCases)
    func `a failure of the run ends the search for lines`(search: Search) async throws {
        // There is no line to be found in half a gigabyte, which takes a while.
        let frame = repeatedFrame(blocks: 2000, contentSize: 2000 << 17)
        let job = try search.job()
        let failure = try await within {
            let source = try NamelessFile(frame + frame)
            let latch = FailureLatch()
            DispatchQueue(label: "test.failure").asyncAfter(deadline: .now() + 0.05) { latch.fail(.cancelled) }
            return try job.finished(from: source.descriptor, to: nil, latch: latch).0
        }
        #expect(failure == .cancelled)
    }

    @Test(arguments: [UInt8(10), 0])
    func `the last lines are those of the content, however many are wanted`(end: UInt8) async throws {
        try await within {
            let lines = (0..<300).map { Array("line \($0)".utf8) + [end] }
            for content in [Array(lines.joined()), Array(lines.joined()) + [1, 2, 3]] {
                let file = try Job.compress(frameSize: 1 << 10).output(of: content)
                for count in [0, 1, 2, 7, 150, 301, 1000] {
                    let job = Job(LineExtraction(last: count, endingIn: end, Decompression()), threads: 2)
                    let parts = content.split(separator: end, omittingEmptySubsequences: false)
                    // What follows the last end is a line if there is any of it.
                    let wanted = (parts.last?.isEmpty == true ? parts.dropLast() : parts[...]).suffix(count)
                    let start = wanted.first?.startIndex ?? content.count
                    #expect(try job.output(of: file).elementsEqual(content[start...]), "\(count) lines")
                }
            }
        }
    }
}
