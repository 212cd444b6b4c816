import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import ByteStreams
@testable import ChunkPipeline
@testable import Sluice
@testable import SluiceEngine
@testable import ZstdCodec

/// When a run whose Task was cancelled has ended, and what is left of it. Each is in a process of its own: all that it
/// has open is counted, and other tests keep the threads of the pool that a Task needs to go on.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: measures))
struct CancellationTests {
    /// Its frames take two seconds and more.
    static let slow = Compression(CompressionOptions(level: 22, frameSize: 6 << 20))

    @Test func `in the middle of a frame at the highest level`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let path = try scratch.write(sample(6 << 20), to: "a")
            let output = scratch.path.appending("a.zst")
            try await endsAtOnce { try await CancellationTests.slow.run(from: .file(path), to: .file(output)) }
            #expect(scratch.names == ["a"])
            #expect(await soon { ownThreads() == 0 })
            #expect(WorkerPool.shared.available == availableProcessors())
        }
    }

    /// As when clients connect and go. Each frame would take two seconds and more.
    @Test func `many times, in the middle of frames, and what is left of the runs has a bound`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let path = try scratch.write(sample(6 << 20), to: "a")
            var most = 0
            for number in 0..<12 {
                let output = scratch.path.appending("\(number)")
                let task = Task { try await CancellationTests.slow.run(from: .file(path), to: .file(output)) }
                try await Task.sleep(for: .milliseconds(150))
                task.cancel()
                _ = await task.result
                most = max(most, WorkerPool.shared.left)
            }
            #expect(most <= availableProcessors())
            #expect(await soon { ownThreads() == 0 })
            // A worker leaves its frame: all of them would take half a minute of a processor.
            #expect(!Compressor.makesSlices || Double(clock()) / Double(CLOCKS_PER_SEC) < 12)
            #expect(WorkerPool.shared.left == 0)
            #expect(scratch.names == ["a"])
        }
    }

    @Test func `in the middle of frames that come in parts, with threads of libzstd's`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let path = try scratch.write(sample(3 << 20), to: "a")
            try await endsAtOnce {
                var compression = Compression(CompressionOptions(level: 19, longWindowLog: 24))
                compression.framing = .single()
                try await compression.run(from: .file(path), to: .file(scratch.path.appending("a.zst")))
            }
            #expect(scratch.names == ["a"])
            #expect(await soon { ownThreads() == 0 })
        }
    }

    @Test func `between a silent pipe and a file`() async {
        await #expect(processExitsWith: .success) {
            let (scratch, source) = (try Scratch(), try Pipe())
            source.feed(sample(50_000), isSilent: true)
            let output = scratch.path.appending("a.zst")
            try await endsAtOnce {
                try await Compression().run(from: .descriptor(source.reading), to: .file(output))
            }
            #expect(scratch.names.isEmpty)
            #expect(await soon { ownThreads() == 0 })
        }
    }

    @Test(arguments: [false, true])
    func `before an output that nobody takes`(isSocket: Bool) async {
        await #expect(processExitsWith: .success) { [isSocket] in
            let (source, sink) = (try Pipe(isSocket: isSocket), try Pipe(isSocket: isSocket))
            // More than both ends hold, for each attempt.
            source.feed(sample(16 << 20))
            try await endsAtOnce {
                let compression = Compression(level: 1, frameSize: 1 << 16)
                try await compression.run(from: .descriptor(source.reading), to: .descriptor(sink.writing))
            }
            #expect(await soon { ownThreads() == 0 })
        }
    }

    /// It would wait for a reader within a call, and not give the thread and the descriptors back.
    @Test func `before a terminal that nobody reads`() async {
        await #expect(processExitsWith: .success) {
            var (keyboard, screen) = (Int32(-1), Int32(-1))
            #expect(openpty(&keyboard, &screen, nil, nil, nil) == 0)
            let terminal = FileDescriptor(rawValue: screen)
            let zero = try FileDescriptor.open("/dev/zero", .readOnly)
            try await endsAtOnce {
                let compression = Compression(level: 1, frameSize: 1 << 16)
                try await compression.run(from: .descriptor(zero), to: .descriptor(terminal))
            }
            #expect(fcntl(terminal.rawValue, F_GETFL) & O_NONBLOCK == 0)
            #expect(await soon { ownThreads() == 0 })
        }
    }

    @Test func `of an input without an end`() async {
        await #expect(processExitsWith: .success) {
            let zero = try FileDescriptor.open("/dev/zero", .readOnly)
            try await endsAtOnce { try await Compression(level: 1).run(from: .descriptor(zero), to: .nothing) }
            #expect(await soon { ownThreads() == 0 })
        }
    }

    @Test func `of a sequence that is silent, and of one that nobody takes`() async {
        await #expect(processExitsWith: .success) {
            try await endsAtOnce {
                let silent = Buffers(sample(1000), size: 1000, isSilent: true)
                _ = try await silent.compressed().decompressed().collected()
            }
            try await endsAtOnce {
                let endless = Buffers(sample(1 << 20), size: 1 << 16, isEndless: true)
                for try await _ in endless.compressed() { try await Task.sleep(for: .seconds(1000)) }
            }
            #expect(await soon { ownThreads() == 0 })
        }
    }

    @Test(arguments: [false, true])
    func `in a file that has to be decoded from its start`(saysSize: Bool) async {
        await #expect(processExitsWith: .success) { [saysSize] in
            let scratch = try Scratch()
            let path = try scratch.write(longFrame(saysSize: saysSize), to: "a.zst")
            try await endsAtOnce {
                let file = try await CompressedFile.open(at: path)
                // If the frame does not say what it holds, that takes its time already.
                var buffers = file.buffers(in: file.contentSize - 1..<file.contentSize).makeAsyncIterator()
                _ = try await buffers.next()
            }
            #expect(await soon { ownThreads() == 0 })
        }
    }

    @Test func `in the middle of a frame that several cores decode`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let path = try scratch.write(longFrame(saysSize: true, hasChecksum: true), to: "a.zst")
            try await endsAtOnce { try await Decompression().run(from: .file(path), to: .nothing) }
            #expect(await soon { ownThreads() == 0 })
            #expect(await soon { WorkerPool.shared.available == availableProcessors() })
        }
    }
}

/// A frame of 100 GiB of zeros: blocks that say a byte and how often it comes.
private func longFrame(saysSize: Bool, hasChecksum: Bool = false) -> [UInt8] {
    let (blocks, size) = (100 << 13, UInt64(1) << 17)
    var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, (saysSize ? 0xC0 : 0) | (hasChecksum ? 4 : 0), 0x38]
    if saysSize { frame += withUnsafeBytes(of: (UInt64(blocks) * size).littleEndian) { Array($0) } }
    for block in 1...blocks {
        let header = UInt32(size) << 3 | 1 << 1 | (block == blocks ? 1 : 0)
        frame += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16), 0]
    }
    return frame
}

/// Cancels a Task three tenths of a second after it began, and expects that within half a second it has ended, and has
/// nothing open any more. Once of three times will do: the machine may have other things to do.
private func endsAtOnce(_ body: @escaping @Sendable () async throws -> Void) async throws {
    // What Dispatch has open for the first of all timers is not counted.
    try await Task.sleep(for: .seconds(0.01))
    var most = Double.infinity
    for _ in 0..<3 where most > 0.5 {
        let open = openDescriptors()
        let task = Task { try await body() }
        try await Task.sleep(for: .seconds(0.3))
        let start = ContinuousClock.now
        task.cancel()
        let outcome = await task.result
        _ = eventually(10) { openDescriptors() == open }
        most = min(most, (ContinuousClock.now - start) / .seconds(1))
        let error = #expect(throws: (any Error).self) { try outcome.get() }
        #expect(error is CancellationError || error as? Failure == .cancelled)
    }
    #expect(most <= 0.5)
}

/// Threads of runs that this process has.
private func ownThreads() -> Int {
    guard let folder = opendir("/proc/self/task") else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if readText("/proc/self/task/\(name)/comm") == ownThreadName + "\n" { count += 1 }
    }
    return count
}
