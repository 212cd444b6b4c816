import Dispatch
import Glibc
import StreamTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import ByteStreams

/// What holds for every target, whoever writes it.
@Suite(.timeLimit(.minutes(4)))
struct ByteSinkTests {
    /// Many small writes, so that some end while others are asked for.
    @Test(arguments: [false, true])
    func `bytes are written in the order in which they were given, also while others are done`(isTemporary: Bool)
        async throws
    {
        let count = 40_000
        let (content, done) = try await within {
            let file = try NamelessFile()
            let sink = DispatchSink(
                try Sink(file.descriptor, isTemporary: isTemporary), hasBlocks: false)
            let (written, done) = (DispatchGroup(), Collected())
            for number in 0..<count {
                written.enter()
                sink.write(Bytes(Self.digits(number)), after: 0) { error in
                    if error == nil { done.append([1]) }
                    written.leave()
                }
            }
            written.wait()
            sink.finish()
            return (try file.content, done.count)
        }
        #expect(content.isSame(as: (0..<count).flatMap(Self.digits)))
        #expect(done == count)
    }

    @Test(arguments: [(9, true), (10, false), (11, false)])
    func `a file that has got less than was written is an error, and more is that of another`(
        position: UInt64, isError: Bool
    ) async throws {
        let failure = try await within { () -> Failure? in
            let file = try NamelessFile()
            let sink = DispatchSink(try Sink(file.descriptor), hasBlocks: false)
            let written = DispatchSemaphore(value: 0)
            sink.write(Bytes([UInt8](repeating: 7, count: 10)), after: 0) { _ in written.signal() }
            written.wait()
            try file.descriptor.stand(at: position)
            defer { sink.finish() }
            do throws(Failure) { try sink.end(after: 0, of: 10) } catch { return error }
            return nil
        }
        #expect(failure == (isError ? .writing(.ioError) : nil))
    }

    private static func digits(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) } }

    @Test func `behind a write that failed nothing is written, and each write gets the error`() async throws {
        let errors = try await within {
            // Nobody reads it, and nobody will.
            let pipe = try Pipe()
            defer { pipe.close() }
            pipe.closeReading()
            let sink = try DescriptorSink(Sink(pipe.writing))
            let ended = DispatchGroup()
            let errors = Mutex<[Errno?]>([])
            for _ in 0..<3 {
                ended.enter()
                sink.write(Bytes([1, 2, 3]), after: 0) { error in
                    errors.withLock { $0.append(error) }
                    ended.leave()
                }
            }
            ended.wait()
            sink.finish()
            // It may be asked to end more than once.
            sink.finish()
            return errors.withLock { $0 }
        }
        #expect(errors.count == 3 && errors[0] == .brokenPipe && errors.allSatisfy { $0 != nil })
    }
}
