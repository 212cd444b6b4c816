import TestSupport
import Testing

@testable import ZstdCodec

struct DictionaryTrainerTests {
    static func trainer(
        _ method: DictionaryTrainer.Method, _ change: (inout DictionaryTrainer) -> Void = { _ in }
    ) -> DictionaryTrainer {
        var trainer = DictionaryTrainer(method)
        trainer.sizeLimit = 2000
        change(&trainer)
        return trainer
    }

    @Test(arguments: [
        trainer(.fastCover), trainer(.cover), trainer(.fastCover) { ($0.segmentSize, $0.matchSize) = (64, 6) },
        trainer(.cover) { ($0.segmentSize, $0.matchSize) = (64, 6) },
        trainer(.fastCover) { ($0.matchSize, $0.steps, $0.frequencyLog, $0.acceleration) = (0, 2, 16, 5) },
        trainer(.cover) { ($0.matchSize, $0.steps, $0.split, $0.threads) = (0, 2, 0.5, 2) },
        trainer(.fastCover) { $0.shrinkRegression = 5 }, trainer(.cover) { $0.shrinkRegression = 5 },
        trainer(.legacy), trainer(.legacy) { $0.selectivity = 5 },
    ])
    func `a dictionary makes records smaller, and they come back`(trainer: DictionaryTrainer) throws {
        let content = try trainer.makeDictionary(from: samples(records(500)))
        #expect((256...2000).contains(content.count))
        let record = records(1000)[777]
        let small = try DictionaryTests.frame(record, content)
        #expect(try small.count * 3 < frame(record).count * 2)
        #expect(try DictionaryTests.content(of: small, content, room: record.count) == record)
    }

    @Test(arguments: [DictionaryTrainer.Method.cover, .fastCover, .legacy])
    func `a dictionary depends on nothing but samples and numbers`(method: DictionaryTrainer.Method) throws {
        let trainer = Self.trainer(method)
        let threaded = Self.trainer(method) { $0.threads = 3 }
        let first = try trainer.makeDictionary(from: samples(records(300)))
        #expect(try trainer.makeDictionary(from: samples(records(300))) == first)
        #expect(try threaded.makeDictionary(from: samples(records(300))) == first)
        #expect(try trainer.makeDictionary(from: samples(records(299))) != first)
    }

    @Test(arguments: [1, 4242, UInt32.max])
    func `a dictionary has the identifier that was asked for`(identifier: UInt32) throws {
        let content = try trained(identifier: identifier)
        #expect(try DecompressionDictionary(digesting: content.span.bytes).identifier == identifier)
    }

    @Test(arguments: [0, 1, 4])
    func `samples that are too few are told`(count: Int) {
        let failure = CodecFailure.training("too few samples (\(count) given, at least 5 needed)")
        #expect(throws: failure) { try DictionaryTrainer().makeDictionary(from: samples(records(count))) }
    }

    @Test(arguments: [
        trainer(.fastCover) { $0.sizeLimit = 100 }, trainer(.cover) { $0.sizeLimit = -5 },
        trainer(.fastCover) { ($0.segmentSize, $0.matchSize) = (5, 8) }, trainer(.cover) { $0.split = 7 },
        trainer(.fastCover) { $0.acceleration = 11 }, trainer(.fastCover) { $0.frequencyLog = 32 },
    ])
    func `numbers that make no dictionary are refused`(trainer: DictionaryTrainer) throws {
        let failure = #expect(throws: CodecFailure.self) { try trainer.makeDictionary(from: samples(records(300))) }
        guard case .training = failure else { throw try #require(failure) }
    }

    @Test func `samples that are hardly anything make no dictionary`() {
        let bytes = Array(repeating: [UInt8(7)], count: 6)
        #expect(throws: CodecFailure.self) { try DictionaryTrainer().makeDictionary(from: samples(bytes)) }
    }

    @Test(
        arguments: [(nil, [131_072]), (70_000, [70_000, 70_000, 60_000]), (1 << 20, [131_072, 68_928])]
            as [(Int?, [Int])])
    func `a sample has 128 KiB at most, and a block size cuts what is longer`(blockSize: Int?, sizes: [Int]) {
        let samples = samples([sample(200_000), []], blockSize: blockSize)
        #expect(samples.sizes == sizes)
        #expect(samples.bytes == Array(sample(200_000).prefix(samples.byteCount)))
    }
}
