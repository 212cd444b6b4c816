internal import Parity

/// The frames of a file that decode where bytes are others than parity says, and which of them are not what a stream
/// had there. These are never changed.
///
/// A checksum proves a frame, whatever was written there before. One that decodes without is what has become of a frame
/// of the stream if it begins like that, all bytes of it have their places, and all that was written is known.
struct ProvedFrames {
    /// The bytes over which the search within changed bytes may go in vain, beside the size of the file.
    private static let patience: UInt64 = 64 << 20
    /// The most frames that it tries.
    private static let mostTrials = 4096
    /// How far a frame may have been moved to be found again, in bytes.
    private static let farthest: UInt64 = 64 << 10
    /// The places that are compared for that.
    private static let mostPlaces = 64

    private let list: FileElements
    private let checked: CheckedParity
    /// What does not agree with parity, in order.
    private let elements: [FileElement]
    /// Whether the seek table is changed, with which frames without a checksum are compared.
    private let isListChanged: Bool
    private(set) var proved = RangeSet<UInt64>()
    /// Others, within changed bytes, that no seek table lists and that recovery would not find.
    private(set) var hidden = RangeSet<UInt64>()
    /// Whether a frame that would be changed, or has rotted, does not decode or has no checksum that proves it; or one
    /// that a damaged seek table lists is not like it.
    private(set) var areDamaged = false
    private var next = 0

    private init(_ list: FileElements, of checked: CheckedParity, comparesTable: Bool) {
        (self.list, self.checked) = (list, checked)
        elements = list.all.filter { [.known, .lost].contains($0.kind) && !($0.old.isEmpty && $0.new.isEmpty) }
        isListChanged =
            comparesTable
            && elements.contains { $0.new.upperBound > checked.parts[$0.part].region.description.tailStart }
    }

    /// The frames that recovery would find.
    init(
        _ list: FileElements, of checked: CheckedParity, _ source: Source, _ decompression: Decompression,
        _ room: inout ChunkCapacity
    ) throws(Failure) {
        self.init(list, of: checked, comparesTable: decompression.comparesTable)
        let listed = decompression.comparesTable ? ListedContents(source, isDamaged: true) : nil
        defer { listed?.close() }
        let (limits, dictionary) = (decompression.ownLimits, decompression.dictionary)
        let accepted = try TrialDecoder(checked.file, limits, dictionary, listed)
        let trial = isListChanged ? try TrialDecoder(checked.file, limits, dictionary, nil) : accepted
        // Only of a sound file it matters whether each frame is like the table.
        let compares = isListChanged && checked.isSound && limits.verifiesChecksums
        try look(limits, trial, compares ? accepted : nil, room.mostHeld, room.windows)
        if !checked.isSound || areDamaged || !list.areInPlace { try search(trial) }
    }

    /// The frames that a repair may not change.
    ///
    /// - Parameter mostTrials: the most frames that are tried within changed bytes.
    init(
        _ list: FileElements, of checked: CheckedParity, mostTrials: Int = Self.mostTrials
    ) throws(Failure) {
        self.init(list, of: checked, comparesTable: false)
        let limits = Decompression().ownLimits
        let trial = try TrialDecoder(checked.file, limits, nil)
        try look(limits, trial, nil, .max, nil)
        try search(trial, most: mostTrials)
    }

    /// - Parameters:
    ///   - trial: proves frames.
    ///   - accepted: does the same as a test of the file.
    private mutating func look(
        _ limits: DecodingLimits, _ trial: TrialDecoder, _ accepted: TrialDecoder?, _ mostHeld: UInt64,
        _ windows: Slots?
    ) throws(Failure) {
        let (file, verdict) = (checked.file, checked.chain.verdict)
        var sound = verdict.failure == nil ? try SoundFrames(file, verdict, trial.prove, mostHeld: mostHeld) : nil
        var scan: RecoveryScan?
        while true {
            if let windows, !windows.take() { throw .cancelled }
            defer { windows?.give() }
            var result = try sound?.next()
            if result == nil {
                let isOver = sound.map { $0.end == nil } ?? false
                if scan == nil, !isOver {
                    scan = try RecoveryScan(file, verdict, limits, trial.prove, mostHeld: mostHeld, after: sound)
                }
                result = try scan?.next()
            }
            guard let result else { return }
            switch result {
            case .held(let frame):
                if let accepted, try !accepted.hasFrameChecksum(frame.input) {
                    if case .whole = try accepted.prove(frame.input, most: .max).verdict {} else { areDamaged = true }
                }
                guard meets(frame.input) else { continue }
                if case .whole = try trial.prove(frame.input, most: .max).verdict, file.isLegible(frame.input) {
                    try take(frame.input, trial)
                } else {
                    areDamaged = true
                }
            // What is decoded up to a cut proves nothing.
            case .streamed(let input, _, true):
                guard meets(input) else { continue }
                areDamaged = true
                // But nothing is taken from its content if it is not the stream's, or if it will not be whole.
                let isOwn = try beginsLikeOwn(input) ? true : isOwnBehindHeader(input)
                if !isOwn || met(input).contains(where: { $0.kind != .known }) { proved.insert(contentsOf: input) }
            case .streamed(let input, _, false): if meets(input) { try take(input, trial) }
            case .lost(let input, _, _): if meets(input) { areDamaged = true }
            }
        }
    }

    /// Takes a frame that decodes.
    private mutating func take(_ frame: Range<UInt64>, _ trial: TrialDecoder) throws(Failure) {
        let changed = met(frame)
        let wasMoved =
            if changed.count == 1, let element = changed.first { try isMoved(frame, within: element) } else { false }
        if try wasMoved ? true : isOwnBehindHeader(frame) {
            areDamaged = true
            return
        }
        if try trial.hasChecksum(frame) {
            proved.insert(contentsOf: frame)
            return
        }
        areDamaged = true
        // Chance may have made other content of it, but parity proves the bytes that were written.
        let isOwn = try beginsLikeOwn(frame)
        let isRepaired =
            isOwn && changed.allSatisfy { $0.kind == .known && $0.isInPlace }
        if !isRepaired { proved.insert(contentsOf: frame) }
    }

    /// Whether a stream has a frame at the same place that begins with the same header.
    private func beginsLikeOwn(_ frame: Range<UInt64>) throws(Failure) -> Bool {
        let start = try FileBlocks(file: checked.file).bytes(
            at: frame.lowerBound, most: min(frame.count, FrameHeader.mostBytes))
        guard let header = FrameHeader(ofFrame: start.span.bytes), let place = list.place(of: frame.lowerBound),
            checked.parts.indices.contains(place.part)
        else { return false }
        let region = checked.parts[place.part].region
        guard place.offset + UInt64(header.size) <= region.size else { return false }
        return try region.bytes(at: place.offset, count: header.size) == Array(start[..<header.size])
    }

    /// Whether a frame of a stream is here, of which nothing but the header has rotted.
    private func isOwnBehindHeader(_ frame: Range<UInt64>) throws(Failure) -> Bool {
        let start = try FileBlocks(file: checked.file).bytes(
            at: frame.lowerBound, most: min(frame.count, FrameHeader.mostBytes))
        guard let header = FrameHeader(ofFrame: start.span.bytes), let place = list.place(of: frame.lowerBound),
            checked.parts.indices.contains(place.part), met(frame).allSatisfy({ $0.kind == .known && $0.isInPlace })
        else { return false }
        let region = checked.parts[place.part].region
        let most = min(region.size - min(region.size, place.offset), UInt64(FrameHeader.mostBytes))
        guard let bytes = try region.bytes(at: place.offset, count: Int(most)),
            let own = FrameHeader(ofFrame: bytes.span.bytes), own.size == header.size
        else { return false }
        let (old, new) = (frame.lowerBound + UInt64(own.size), place.offset + UInt64(own.size))
        let count = frame.upperBound - min(old, frame.upperBound)
        guard count > 0, new + count <= region.size else { return false }
        return try region.sameBytes(old..<old + count, new..<new + count, isAtEnd: false) == count
    }

    /// Whether bytes of a frame would be changed, or have rotted. Frames come in order.
    private mutating func meets(_ frame: Range<UInt64>) -> Bool {
        while next < elements.count, elements[next].old.upperBound <= frame.lowerBound { next += 1 }
        return next < elements.count && elements[next].old.lowerBound < frame.upperBound
    }

    /// What does not agree with parity within a frame.
    private func met(_ frame: Range<UInt64>) -> ArraySlice<FileElement> {
        elements[elements.firstPosition { $0.old.upperBound > frame.lowerBound }...].prefix {
            $0.old.lowerBound < frame.upperBound
        }
    }

    // MARK: Within changed bytes

    /// Searches bytes that would be changed for frames that prove themselves, and for the start of another format.
    private mutating func search(_ trial: TrialDecoder, most: Int = Self.mostTrials) throws(Failure) {
        let blocks = FileBlocks(file: checked.file)
        var (patience, trials) = (2 * min(blocks.size, 1 << 56) + Self.patience, most)
        for element in elements where element.kind == .known && !element.old.isEmpty {
            if try beginsOtherFormat(element) { hidden.insert(contentsOf: element.old) }
            var start = element.old.lowerBound
            while start < element.old.upperBound {
                // The rest of a magic number may be behind the element.
                let bytes = try blocks.bytes(
                    at: start, most: min(1 << 20, Int(element.old.upperBound - start) + FrameScanner.magicSize - 1))
                guard let first = FrameScanner.firstMagic(in: bytes.span.bytes) else {
                    start += UInt64(max(1, bytes.count - FrameScanner.magicSize + 1))
                    continue
                }
                let place = start + UInt64(first)
                if place >= element.old.upperBound { break }
                start = place + 1
                // What readers skip proves nothing.
                let header = try blocks.bytes(at: place, most: FrameHeader.mostBytes)
                guard FrameHeader(ofFrame: header.span.bytes) != nil else { continue }
                guard let end = try checked.file.frameEnd(from: place) else {
                    (patience, trials) = (patience - min(patience, 64 << 10), trials - 1)
                    if patience == 0 || trials == 0 { return hidden.insert(contentsOf: 0..<blocks.size) }
                    continue
                }
                // There may be any number of frames of the stream itself.
                patience -= min(patience, element.isInPlace ? 0 : Self.farthest / 16)
                if patience == 0 { return hidden.insert(contentsOf: 0..<blocks.size) }
                let isOwn = try isUnchanged(place..<end) ? true : isMoved(place..<end, within: element)
                if isOwn {
                    start = end
                    continue
                }
                let (verdict, work) = try trial.prove(place..<end, most: patience)
                (patience, trials) = (patience - min(patience, work + (end - place)), trials - 1)
                // What can't be looked at is not left out.
                if patience == 0 || trials == 0 { return hidden.insert(contentsOf: 0..<blocks.size) }
                if try isForeign(place..<end, verdict, trial) {
                    hidden.insert(contentsOf: place..<end)
                    start = end
                } else if case .whole = verdict {
                    start = end
                }
            }
        }
    }

    /// Whether a frame within changed bytes is not what has become of a frame of the stream.
    private func isForeign(
        _ frame: Range<UInt64>, _ verdict: FrameVerdict, _ trial: TrialDecoder
    ) throws(Failure) -> Bool {
        if case .whole = verdict {
            let isLikeOwn = try trial.hasChecksum(frame) ? false : beginsLikeOwn(frame)
            return try isLikeOwn ? false : !isOwnBehindHeader(frame)
        }
        // Others may be able to decode it.
        return try trial.needsMore(frame) ? !isMostlyOwn(frame) : false
    }

    /// Whether the stream has the same bytes there.
    private func isUnchanged(_ frame: Range<UInt64>) throws(Failure) -> Bool {
        guard let place = list.place(of: frame.lowerBound), checked.parts.indices.contains(place.part) else {
            return false
        }
        let region = checked.parts[place.part].region
        let count = UInt64(frame.count)
        guard count <= region.size - min(region.size, place.offset) else { return false }
        return try region.sameBytes(frame, place.offset..<place.offset + count, isAtEnd: false) == count
    }

    /// Whether a frame of the stream is here that was moved, because bytes before it are missing.
    private func isMoved(_ frame: Range<UInt64>, within element: FileElement) throws(Failure) -> Bool {
        // Where bytes were inserted, it may be there once more.
        guard element.kind == .known, element.old.count < element.new.count,
            element.old.lowerBound <= frame.lowerBound, frame.upperBound <= element.old.upperBound,
            UInt64(element.new.count - element.old.count) < Self.farthest
        else { return false }
        let (region, count) = (checked.parts[element.part].region, UInt64(frame.count))
        // As far from the start as in the file, or from the end, or between these places.
        let first = element.new.lowerBound + (frame.lowerBound - element.old.lowerBound)
        let places = first...first + UInt64(element.new.count - element.old.count)
        let start = try FileBlocks(file: checked.file).bytes(at: frame.lowerBound, most: min(frame.count, 64))
        guard let bytes = try region.bytes(at: places.lowerBound, count: places.count + start.count - 1) else {
            return false
        }
        var tried = 0
        for place in 0..<places.count where bytes[place] == start[0] && bytes[place...].starts(with: start) {
            let new = places.lowerBound + UInt64(place)
            if try region.sameBytes(frame, new..<new + count, isAtEnd: false) == count { return true }
            tried += 1
            if tried == Self.mostPlaces { break }
        }
        return false
    }

    /// Whether most of a frame is what the stream has there.
    private func isMostlyOwn(_ frame: Range<UInt64>) throws(Failure) -> Bool {
        guard let place = list.place(of: frame.lowerBound), checked.parts.indices.contains(place.part) else {
            return false
        }
        let region = checked.parts[place.part].region
        let most = min(UInt64(frame.count), Self.farthest, region.size - min(region.size, place.offset))
        let old = try FileBlocks(file: checked.file).bytes(at: frame.lowerBound, most: Int(most))
        guard let new = try region.bytes(at: place.offset, count: old.count) else { return false }
        return 2 * zip(old, new).count { $0 == $1 } > old.count
    }

    /// Whether another format begins where bytes were inserted, or where a stream begins or goes on.
    private func beginsOtherFormat(_ element: FileElement) throws(Failure) -> Bool {
        let region = checked.parts[element.part].region
        guard !element.isInPlace || element.new.lowerBound == 0 || element.new.upperBound == region.size else {
            return false
        }
        let start = try FileBlocks(file: checked.file).bytes(at: element.old.lowerBound, most: 8)
        return ForeignFormat.allCases.contains { format in
            guard let magic = format.longMagic, start.starts(with: magic) else { return false }
            return format != .gzip || start.count > 3 && start[3] & 0xE0 == 0
        }
    }
}
