/// How large the parts of an upload are: a store takes 10,000 of them, and of each connection one is in memory.
package struct PartPlan: Sendable {
    /// What is known of the size of the object.
    package enum Size: Equatable, Sendable {
        case unknown
        /// About so many bytes, or at most.
        case expected(UInt64)
        /// Each part has so many bytes.
        case parts(Int)
    }

    /// How large each part is.
    package struct Sizes: Equatable, Sendable {
        /// Bytes of the first part.
        let first: Int
        /// How many parts have that size.
        let equal: Int
        /// How many parts have one size after that, before it doubles.
        let step: Int
        /// The most bytes of a part that is larger than the first.
        let largest: Int

        subscript(number: Int) -> Int {
            let doublings = number <= equal ? 0 : (number - equal - 1) / step + 1
            return max(first, min(largest, first << min(doublings, 8)))
        }
    }

    /// The most parts of an object.
    package static let mostParts = 10_000
    /// Bytes of all parts in memory, where nothing limits them.
    package static let usualMemory = 256 << 20
    /// The least bytes of a part that is not the last one.
    package static let leastPart = 5 << 20
    /// Bytes that an object of unknown size may have, where nothing limits the memory: a little more.
    private static let usualCapacity: UInt64 = 980 << 30
    /// The most bytes of a part that is asked for.
    package static let mostPart = 1 << 30
    /// The size of the first parts, where the memory allows it.
    private static let usualPart = 16 << 20
    private static let usualConnections = 16
    /// The most bytes of an object.
    private static let mostBytes: UInt64 = 5 << 40
    /// How many parts have one size, before the size doubles, where the size of the object is not known.
    package static let usualStep = 1000
    private static let mebibyte: UInt64 = 1 << 20

    private let size: Size
    package private(set) var sizes: Sizes
    /// Bytes of all parts that are in memory at the same time.
    package let memory: Int
    private let mostConnections: Int

    /// - Parameters:
    ///   - memory: bytes for all parts; at least one of them is held.
    ///   - connections: the most connections; nil for as many as are of use.
    ///   - step: how many parts have one size, before the size doubles.
    package init(_ size: Size, memory: Int = usualMemory, connections: Int? = nil, step: Int = usualStep) {
        let memory = max(memory, Self.leastPart)
        self.size = size
        mostConnections = max(1, min(connections ?? Self.usualConnections, Self.usualConnections))
        let usual = max(Self.leastPart, min(Self.usualPart, memory / Self.usualConnections))
        let (first, equal): (Int, Int)
        switch size {
        case .parts(let size): (first, equal) = (size, .max)
        case .unknown: (first, equal) = (usual, step)
        case .expected(let wanted):
            let bytes = min(wanted, Self.mostBytes)
            let share = (bytes / UInt64(Self.mostParts) / Self.mebibyte + 1) * Self.mebibyte
            first = max(usual, Int(clamping: share))
            equal = max(step, Int(clamping: bytes / UInt64(first)) + 1)
        }
        // Parts of a size that is not known grow, until two of them fill the memory.
        self.memory = size == .unknown ? memory : min(memory, 2 * mostConnections * first)
        sizes = Sizes(first: first, equal: equal, step: step, largest: self.memory / 2)
    }

    /// The same plan with parts as those of an upload that goes on. The memory for them is that of this run.
    package func with(_ sizes: Sizes) -> PartPlan {
        var plan = self
        plan.sizes = sizes
        return plan
    }

    /// Bytes of a part; nil beyond the last one that a store takes.
    ///
    /// - Parameter number: from 1 on.
    package func size(of number: Int) -> Int? {
        number <= Self.mostParts ? sizes[number] : nil
    }

    /// How many parts of a size are on their way at the same time.
    package func connections(for size: Int) -> Int { max(1, min(mostConnections, memory / size)) }

    /// The most bytes of parts that are in memory: at least one is, however large.
    package var most: Int { max(memory, sizes.first, sizes.largest) }

    /// Bytes of the parts of a size that are in memory: beside those on their way as many may wait.
    package func room(for size: Int) -> Int { min(memory, 2 * connections(for: size) * size) }

    /// The most bytes of an object.
    package var capacity: UInt64 { (1...Self.mostParts).reduce(0) { $0 + UInt64(size(of: $1) ?? 0) } }

    /// The most bytes of the object, if that may be too few, since there is little memory for parts.
    package var scarceCapacity: UInt64? { size == .unknown && capacity < Self.usualCapacity ? capacity : nil }

    /// Whether all parts but the last one have one size, as some stores demand.
    ///
    /// - Parameter count: of the parts.
    package func isEven(_ count: Int) -> Bool { count < 2 || size(of: 1) == size(of: count - 1) }

    private var isSaid: Bool { if case .parts = size { true } else { false } }

    /// The sentence for an object that is too large.
    package var refusal: String {
        let most = "an object has at most \(Self.mostParts) parts, of which these hold \(capacity >> 30) GiB"
        return "\(most): \(isSaid ? "a larger --upload-part holds" : "--upload-part=SIZE makes parts that hold") more"
    }
}
