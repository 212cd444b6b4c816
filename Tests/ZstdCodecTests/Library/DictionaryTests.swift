import TestSupport
import Testing

@testable import ZstdCodec

struct DictionaryTests {
    static func frame(
        _ content: [UInt8], _ dictionary: [UInt8], _ options: CompressionOptions = CompressionOptions(level: 3)
    ) throws -> [UInt8] {
        let digest = try CompressionDictionary(digesting: dictionary.span.bytes, for: options)
        var compressor = try Compressor(options, dictionary: digest)
        var bytes = [UInt8](repeating: 0, count: CompressionOptions.bound(content.count))
        let count = try bytes.withUnsafeMutableBytes { try compressor.compress(content.span.bytes, into: $0) }
        return Array(bytes[..<count])
    }

    static func content(of frames: [UInt8], _ dictionary: [UInt8]?, room: Int) throws -> [UInt8] {
        let digest = try dictionary.map { try DecompressionDictionary(digesting: $0.span.bytes) }
        var decompressor = try Decompressor(dictionary: digest)
        var content = [UInt8](repeating: 0, count: room)
        let count = try content.withUnsafeMutableBytes {
            try decompressor.decompress(frames.span.bytes, into: $0, offset: 5)
        }
        return Array(content.prefix(count))
    }

    @Test(arguments: [-3, 1, 3, 9, 19], [0, 1, 70, 200_000])
    func `content comes back with its dictionary, trained or not`(level: Int, count: Int) throws {
        let content = Array(records(3000).flatMap(\.self).prefix(count))
        for dictionary in [try trained(), Array(records(20).flatMap(\.self)), Array("tiny".utf8), []] {
            let compressed = try Self.frame(content, dictionary, CompressionOptions(level: level))
            #expect(try Self.content(of: compressed, dictionary, room: count) == content)
        }
    }

    /// A digest has no parameters but the level, so that contexts with others make their own. Content of 128 KiB and
    /// more libzstd compresses better with a shared one, whose level it then applies to the content.
    @Test(arguments: [1, 3, 9, 19], [70, 100_000])
    func `what is digested once and by each context makes the same frame`(level: Int, count: Int) throws {
        let (content, dictionary) = (Array(records(3000).flatMap(\.self).prefix(count)), try trained())
        var options = CompressionOptions(level: level)
        let shared = try Self.frame(content, dictionary, options)
        options.parameters = [.windowLog: 0]
        #expect(try Self.frame(content, dictionary, options) == shared)
    }

    @Test(arguments: [(.strategy, 1), (.minMatch, 7), (.literalCompressionMode, 2)] as [(CompressionParameter, Int)])
    func `a parameter reaches libzstd with a dictionary too`(parameter: CompressionParameter, value: Int) throws {
        let (content, dictionary) = (records(40).flatMap(\.self), try trained())
        var options = CompressionOptions(level: 9)
        let without = try Self.frame(content, dictionary, options)
        options.parameters = [parameter: value]
        let with = try Self.frame(content, dictionary, options)
        #expect(with != without)
        #expect(try Self.content(of: with, dictionary, room: content.count) == content)
    }

    @Test func `a frame says which dictionary it needs, unless it is told not to`() throws {
        let (content, dictionary) = (records(1)[0], try trained(identifier: 4242))
        var options = CompressionOptions(level: 3)
        let named = try Self.frame(content, dictionary, options)
        #expect(try scan(named).first?.header?.dictionaryIdentifier == 4242)
        options.hasDictionaryIdentifier = false
        let unnamed = try Self.frame(content, dictionary, options)
        #expect(try scan(unnamed).first?.header?.dictionaryIdentifier == 0)
        #expect(try Self.content(of: unnamed, dictionary, room: content.count) == content)
    }

    @Test func `a wrong dictionary is told beside the right one`() throws {
        let content = records(1)[0]
        let compressed = try Self.frame(content, trained(identifier: 4242))
        for (dictionary, given) in [(nil, nil), (try trained(identifier: 7), 7), (content, 0)] as [([UInt8]?, UInt32?)]
        {
            #expect(throws: CodecFailure.needsDictionary(identifier: 4242, offset: 5, given: given)) {
                try Self.content(of: compressed, dictionary, room: 200)
            }
        }
        let failure = CodecFailure.needsDictionary(identifier: 4242, offset: 5, given: 7)
        #expect(failure.description.contains("4242"))
        #expect(failure.description.contains("but 7 was given"))
    }

    @Test func `damage that may be another dictionary's is called so`() throws {
        let content = records(1)[0]
        let compressed = try Self.frame(content, Array(records(20).flatMap(\.self)))
        let failure = #expect(throws: CodecFailure.self) {
            try Self.content(of: compressed, sample(2000), room: 200)
        }
        #expect("\(try #require(failure))".hasSuffix(", or it was made with another dictionary"))
    }

    @Test func `a dictionary that is damaged is refused, in either direction`() throws {
        var dictionary = try trained()
        for index in 8..<200 { dictionary[index] = 0xFF }
        #expect(throws: CodecFailure.damagedDictionary) { try Self.frame([1], dictionary) }
        #expect(throws: CodecFailure.damagedDictionary) { try Self.content(of: [], dictionary, room: 1) }
        var options = CompressionOptions()
        options.parameters = [.minMatch: 5]
        #expect(throws: CodecFailure.damagedDictionary) { try Self.frame([1], dictionary, options) }
    }

    @Test func `one digest serves many contexts at once, and outlives who made it`() async throws {
        let (contents, options) = (records(200), CompressionOptions(level: 3))
        let dictionary = try trained()
        let digest = try CompressionDictionary(digesting: dictionary.span.bytes, for: options)
        #expect(digest.memory > dictionary.count)
        let frames = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var compressor = try Compressor(options, dictionary: digest)
                    return try contents.map { content in
                        var bytes = [UInt8](repeating: 0, count: CompressionOptions.bound(content.count))
                        let count = try bytes.withUnsafeMutableBytes {
                            try compressor.compress(content.span.bytes, into: $0)
                        }
                        return Array(bytes[..<count])
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(frames).count == 1)
        #expect(try Self.content(of: frames[0].flatMap(\.self), dictionary, room: 100_000) == contents.flatMap(\.self))
    }
}
