import SystemPackage
import TestSupport
import Testing
import ZstdCodec

@testable import SluiceEngine

/// Runs with a dictionary, and runs that make the difference to a reference.
@Suite(.timeLimit(.minutes(4)))
struct DictionaryRunTests {
    static let dictionary = patchwork(20_000, seed: 7)

    /// Content that is mostly the dictionary's, in another order.
    static func content(_ count: Int, like dictionary: [UInt8] = dictionary) -> [UInt8] {
        var (bytes, state) = ([UInt8](), UInt64(count) | 1)
        while bytes.count < count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let start = Int(state >> 33) % max(1, dictionary.count - 200)
            bytes += dictionary[start..<min(dictionary.count, start + 50 + Int(state & 127))]
        }
        return Array(bytes.prefix(count))
    }

    static func digests(
        _ options: CompressionOptions, _ content: [UInt8] = dictionary
    ) throws -> (CompressionDictionary, DecompressionDictionary) {
        (try CompressionDictionary(content.span.bytes, for: options), try DecompressionDictionary(content.span.bytes))
    }

    /// Identified by the number that a trained one would have: a small dictionary that was trained on records.
    static func trained(_ identifier: UInt32) throws -> [UInt8] {
        var samples = DictionarySamples()
        for number in 0..<200 {
            let record = Array("{\"number\": \(number * 7919 % 1000), \"name\": \"somebody\", \"is\": true}\n".utf8)
            _ = samples.append(record.span.bytes)
        }
        var trainer = DictionaryTrainer()
        (trainer.sizeLimit, trainer.identifier) = (600, identifier)
        return try trainer.train(on: samples)
    }

    static func held(_ content: [UInt8]) throws -> HeapMemory {
        let file = try NamelessFile(content)
        return try HeapMemory(contentOf: Source(file.descriptor), limit: 1 << 31)
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 700_000], [1, 3])
    func `frames come back with their dictionary, on however many workers`(count: Int, threads: Int) async throws {
        let content = Self.content(count)
        let options = CompressionOptions(level: 3, frameSize: 1 << 16)
        let (digest, reverse) = try Self.digests(options)
        let (compressed, plain, returned) = try await within {
            let compression = Compression(options, dictionary: digest)
            let compressed = try Job(compression, threads: threads).output(of: content)
            return (
                compressed, try Job(Compression(options), threads: threads).output(of: content),
                try Job(Decompression(dictionary: reverse), threads: threads).outcome(of: compressed)
            )
        }
        #expect(returned.failure == nil)
        #expect(returned.bytes.isSame(as: content))
        #expect(count < 1000 || compressed.count < plain.count)
    }

    /// A window that is narrower than the content is decompressed in parts.
    @Test(arguments: [true, false], [true, false])
    func `one frame comes back with its dictionary, as a whole or in parts`(isKnown: Bool, isNarrow: Bool) async throws
    {
        let content = Self.content(3_000_000)
        let options = isNarrow ? Self.narrow : CompressionOptions(level: 1)
        let (digest, reverse) = try Self.digests(options)
        let returned = try await within {
            let operation = SingleFrame(
                options, dictionary: digest, contentSize: isKnown ? 3_000_000 : nil)
            let compressed = try Job(operation, threads: 2).output(of: content)
            return try Job(Decompression(dictionary: reverse)).output(of: compressed)
        }
        #expect(returned.isSame(as: content))
    }

    @Test func `small files share a dictionary, each done as a whole`() throws {
        let options = CompressionOptions(level: 3)
        let (digest, reverse) = try Self.digests(options)
        for count in [1, 500, 40_000] {
            let content = Self.content(count)
            let packed = try whole(Compression(options, dictionary: digest), content)
            #expect(try count < 100 || packed.count < frame(content).count)
            #expect(try whole(Decompression(dictionary: reverse), packed) == content)
        }
    }

    /// What a file becomes, as a whole.
    private func whole(_ operation: any WholeFileOperation, _ content: [UInt8]) throws -> [UInt8] {
        let source = try NamelessFile(content)
        let sink = try NamelessFile()
        guard var worker = try WholeFileWorker(operation, lane: 0, monitor: nil) else { return [] }
        #expect(try worker.transform(Source(source.descriptor)) != nil)
        try worker.write(to: Sink(sink.descriptor))
        return try sink.content
    }

    @Test(arguments: [nil, 7] as [UInt32?], [false, true])
    func `a dictionary that is missing is named, where its frame begins`(given: UInt32?, isStreamed: Bool) async throws
    {
        let options = CompressionOptions(level: 1)
        let (digest, _) = try Self.digests(options, Self.trained(4242))
        let other = try given.map { try Self.digests(options, Self.trained($0)).1 }
        let first = try frame(sample(1000))
        let outcome = try await within {
            let operation = SingleFrame(options, dictionary: digest)
            let needing = try Job(operation, threads: 1).output(of: Array("\"name\": \"somebody\"".utf8))
            return try Job(Decompression(dictionary: other), threads: 2).outcome(of: first + needing)
        }
        let failure = CodecFailure.needsDictionary(identifier: 4242, offset: UInt64(first.count), given: given)
        #expect(outcome.failure == .codec(failure))
        #expect(outcome.bytes == sample(1000))
    }

    static var narrow: CompressionOptions {
        var options = CompressionOptions(level: 3)
        options.parameters = [.windowLog: 16]
        return options
    }

    /// In parts: the frame's window is narrower than its content.
    @Test func `a dictionary that is missing is named in a frame that comes in parts`() async throws {
        let (digest, reverse) = try Self.digests(Self.narrow, Self.trained(4242))
        let content = patchwork(900_000)
        let outcomes = try await within {
            let compressed = try Job(Compression(Self.narrow, dictionary: digest)).output(of: content)
            return [
                try Job(Decompression()).outcome(of: compressed),
                try Job(Decompression(dictionary: reverse)).outcome(of: compressed),
            ]
        }
        #expect(outcomes[0].failure == .codec(.needsDictionary(identifier: 4242, offset: 0)))
        #expect(outcomes[0].bytes.isEmpty)
        #expect(outcomes[1].bytes.isSame(as: content))
    }

    @Test(arguments: [0, 1, 900, 100_000, 5_000_000], [1, 2])
    func `the difference to a reference is small, and comes back with it only`(count: Int, threads: Int) async throws {
        let old = patchwork(count)
        let new = Array(old[..<(count / 3)]) + Array("what is new".utf8) + Array(old[(count / 3)...].dropFirst(5))
        let (difference, returned, without) = try await within {
            let held = try Self.held(old)
            let size = UInt64(new.count)
            let operation = try SingleFrame(differenceTo: held, .init(level: 3), contentSize: size)
            let difference = try Job(operation, threads: threads).output(of: new)
            let reverse = DecompressionDictionary(reference: held)
            return (
                difference,
                try Job(Decompression(dictionary: reverse), threads: threads).outcome(of: difference),
                try Job(Decompression(), threads: threads).outcome(of: difference)
            )
        }
        #expect(difference.count < 1000)
        #expect(returned.failure == nil)
        #expect(returned.bytes.isSame(as: new))
        #expect(count < 100 || without.failure != nil)
    }

    @Test func `a difference of unknown size reaches the reference, too`() async throws {
        let old = patchwork(3_000_000)
        let difference = try await within {
            let operation = try SingleFrame(differenceTo: Self.held(old), .init(level: 3))
            return try Job(operation, threads: 2).outcomeThroughPipes(of: old, pieces: [1 << 16])
        }
        #expect(difference.failure == nil)
        #expect(difference.bytes.count < 1000)
    }

    /// The limit is for files that are not trusted; the reference is the user's own.
    @Test func `the window of a difference may be twice the reference`() async throws {
        let old = patchwork(2_000_000)
        let new = old + old.prefix(1_500_000).reversed()
        let outcomes = try await within {
            let held = try Self.held(old)
            let operation = try SingleFrame(differenceTo: held, .init(level: 3), contentSize: UInt64(new.count))
            let difference = try Job(operation, threads: 1).output(of: new)
            let reverse = DecompressionDictionary(reference: held)
            return [
                try Job(Decompression(dictionary: reverse, windowLimit: 1 << 20)).outcome(of: difference),
                try Job(Decompression(windowLimit: 1 << 20)).outcome(of: difference),
            ]
        }
        #expect(outcomes[0].bytes.isSame(as: new))
        #expect(outcomes[1].failure == .codec(.windowTooLarge(bytes: UInt64(new.count), limit: 1 << 20, offset: 0)))
    }

    @Test func `what memory a dictionary takes is promised`() throws {
        let options = CompressionOptions(level: 3)
        let (digest, reverse) = try Self.digests(options)
        let bounds = [Decompression(dictionary: reverse), Decompression()].map { operation in
            Job(operation, threads: 1).memory(inputSize: nil)
        }
        #expect(bounds[0] == bounds[1] + UInt64(reverse.memory))
        #expect(digest.memory > Self.dictionary.count)
    }
}
