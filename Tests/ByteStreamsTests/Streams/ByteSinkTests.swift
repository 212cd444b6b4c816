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
        let number = 40_000
        let (content, written) = try await within {
            let file = try NamelessFile()
            let (sink, count) = (
                DispatchSink(try Sink(file.descriptor, isTemporary: isTemporary), file.descriptor, hasBlocks: false),
                WriteCount()
            )
            for number in 0..<number {
                var piece = Piece(Bytes(Self.digits(number)))
                piece.write = count.begin(piece)
                try sink.write(piece)
            }
            try sink.flush()
            let written = count.written
            sink.finish()
            return (try file.content, written)
        }
        #expect(content.isSame(as: (0..<number).flatMap(Self.digits)))
        #expect(written == 4 * UInt64(number))
    }

    @Test(arguments: [(9, true), (10, false), (11, false)])
    func `a file that has got less than was written is an error, and more is that of another`(
        position: UInt64, isError: Bool
    ) async throws {
        let failure = try await within { () -> Failure? in
            let file = try NamelessFile()
            let sink = DispatchSink(try Sink(file.descriptor), file.descriptor, hasBlocks: false)
            try sink.write(Piece(Bytes([UInt8](repeating: 7, count: 10))))
            try sink.flush()
            try file.descriptor.stand(at: position)
            defer { sink.finish() }
            do throws(Failure) { try sink.end(after: 0, of: 10) } catch { return error }
            return nil
        }
        #expect(failure == (isError ? .writing(.ioError) : nil))
    }

    private static func digits(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) } }

    @Test(arguments: [false, true])
    func `behind a write that failed nothing is written, and each later call fails`(isChannel: Bool) async throws {
        let errors = try await within {
            // Nobody reads it, and nobody will.
            let pipe = try Pipe()
            defer { pipe.close() }
            pipe.closeReading()
            let sink = try Sink(pipe.writing)
            let stream: any ByteSink =
                isChannel ? DispatchSink(sink, pipe.writing, hasBlocks: false) : try DescriptorSink(sink)
            var errors: [Failure] = []
            let attempt = { (body: () throws(Failure) -> Void) in
                do throws(Failure) { try body() } catch { errors.append(error) }
            }
            attempt { () throws(Failure) in
                try stream.write(Piece(Bytes([1, 2, 3])))
                try stream.flush()
            }
            for _ in 0..<3 { attempt { () throws(Failure) in try stream.write(Piece(Bytes([4]))) } }
            stream.finish()
            // It may be asked to end more than once.
            stream.finish()
            return errors
        }
        #expect(errors.count == 4 && errors[0] == .writing(.brokenPipe))
    }

    /// The handler of such a write may never be called.
    @Test(arguments: [false, true])
    func `a wait for a write that is blocked in the kernel ends at once when it is cancelled`(
        inFlush: Bool
    ) async throws {
        let failure = try await within { () -> Failure? in
            let pipe = try Pipe()
            defer { pipe.close() }
            let sink = DispatchSink(try Sink(pipe.writing), pipe.writing, hasBlocks: false)
            // More than the pipe holds.
            try sink.write(Piece(Bytes([UInt8](repeating: 0, count: 4 << 20))))
            let isCancelled = DispatchSemaphore(value: 0)
            DispatchQueue(label: "test.cancel").asyncAfter(deadline: .now() + 0.02) {
                sink.cancel()
                isCancelled.signal()
            }
            var failure: Failure?
            do throws(Failure) { try inFlush ? sink.flush() : sink.write(Piece(Bytes([1]))) } catch { failure = error }
            isCancelled.wait()
            // Only now the kernel ends the write.
            pipe.closeReading()
            sink.finish()
            return failure
        }
        #expect(failure == .writing(.canceled))
    }
}
