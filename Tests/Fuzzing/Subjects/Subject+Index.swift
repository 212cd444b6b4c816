internal import Glibc
internal import Sluice
internal import SluiceEngine
internal import SystemPackage
internal import TestSupport
internal import ZstdCodec

extension Subject {
    /// An index of a file is believed only as far as it proves right.
    package static let index = Subject("index") { input in
        var bytes = input
        let isMade = bytes.takeNumber(UInt8.self) & 1 == 0
        var listed = bytes.take(Int(bytes.takeNumber(UInt16.self)))[...]
        let truth = Truth(of: bytes)
        guard truth != .tooMuch, !bytes.isEmpty else { return }
        let content = isMade ? index(&listed, of: bytes) : Array(listed)
        let file = try MemoryFile(bytes)
        let sink = try MemoryFile()
        let index = try MemoryFile(try frame(content))
        let path = FilePath("/proc/self/fd/\(index.descriptor.rawValue)")
        let ranges = [ContentRange.last(100), ContentRange(.offset(0), count: 1 << 20)]
        let job = Job(Extraction(ranges, indexFile: IndexFile(at: path, isReplacing: false)), threads: 2)
        guard (try? job.run(from: Source(file.descriptor), to: Sink(sink.descriptor))) != nil,
            case .content(let content) = truth
        else { return }
        let wanted = Array(content.suffix(100) + content.prefix(1 << 20))
        try promise(try sink.content == wanted, "by its index the content is another")
    }

    /// An index (docs/format.md) with sizes of frames that chance gives, and marks that belong to the file.
    private static func index(_ sizes: inout ArraySlice<UInt8>, of file: ArraySlice<UInt8>) -> [UInt8] {
        var (entries, input, content, count) = ([UInt8](), 0, UInt64(0), UInt32(0))
        func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
        while input < file.count {
            let size = sizes.isEmpty ? file.count : Int(sizes.takeNumber(UInt16.self))
            let end = min(file.count, input + max(1, size))
            let listed = UInt64(sizes.takeNumber(UInt16.self))
            // More than any file has, too.
            content &+= listed < 0xFF00 ? listed : 1 << (listed % 64)
            var mark = file.dropFirst(input).prefix(end - input).suffix(4)
            append(UInt64(end), to: &entries)
            append(content, to: &entries)
            append(mark.takeNumber(UInt32.self), to: &entries)
            (input, count) = (end, count + 1)
        }
        var bytes = Array("SLUICEIX".utf8)
        append(UInt32(1), to: &bytes)
        append(count, to: &bytes)
        return bytes + entries
    }
}
