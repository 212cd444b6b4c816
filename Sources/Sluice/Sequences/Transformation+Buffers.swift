internal import ByteStreams
internal import Synchronization

extension Transformation {
    /// The same as `run(from:to:options:)` for the buffers of a sequence, such as the body of a request.
    ///
    ///     try await Compression().run(from: request.body, to: .file("upload.zst"))
    ///
    /// Of the sequence no more is taken than the run has room for, on its way to the file or to the descriptor. If it
    /// throws, or the Task is cancelled, there is no file.
    ///
    /// - Throws: the first failure; what the sequence throws.
    @discardableResult
    public func run<Buffers: AsyncSequence & Sendable>(
        from buffers: Buffers, to output: RunOutput, options: RunOptions = RunOptions()
    ) async throws -> Summary where Buffers.Element: BytesConvertible {
        let (source, latch, thrown) = (BufferSource(), FailureLatch(), ThrownError())
        let feeding = Task {
            do { try await source.fill(from: buffers) } catch {
                thrown.keep(error)
                latch.fail(.cancelled)
            }
        }
        defer {
            feeding.cancel()
            options.end()
        }
        do throws(Failure) {
            return try await begin(from: RunInput(place: .bytes(source)), to: output, options, latch)
        } catch {
            // Whoever feeds it need not go on.
            source.cancel()
            throw thrown.error ?? error
        }
    }
}

/// What ended a sequence.
private final class ThrownError: Sendable {
    private let state = Mutex<(any Error)?>(nil)

    var error: (any Error)? { state.withLock { $0 } }

    func keep(_ error: any Error) { state.withLock { $0 = error } }
}
