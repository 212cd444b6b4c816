internal import CParity
internal import CXxhash

/// The code: what a data block adds to the parity of its group, and how missing blocks follow from it.
///
/// It works on GF(256), modulo x^8 + x^4 + x^3 + x^2 + 1. The factor of data block j in parity row r of a group of at
/// most K data blocks is 1 / ((K + r) xor j): a Cauchy matrix, of which each square part can be inverted.
package enum ParityCode {
    /// Whether ISA-L is there, and is used.
    package static var usesIsal: Bool { sluice_parity_load() }

    static func factor(capacity: Int, row: Int, block: Int) -> UInt8 { sluice_parity_factor(capacity, row, block) }

    /// Adds the products of a block with each factor to targets, which lie in `memory` at these offsets.
    ///
    /// - Parameter isPlain: whether ISA-L is left out, which changes no byte.
    package static func add(
        _ data: RawSpan, by factors: [UInt8], to memory: inout [UInt8], at offsets: [Int], isPlain: Bool = false
    ) {
        precondition(factors.count == offsets.count && factors.count < 256)
        precondition(offsets.allSatisfy { $0 >= 0 && $0 + data.byteCount <= memory.count })
        if offsets.isEmpty || data.byteCount == 0 { return }
        memory.withUnsafeMutableBufferPointer { memory in
            guard let base = memory.baseAddress else { return }
            let targets = offsets.map { Optional(base + $0) }
            data.withUnsafeBytes { data in
                sluice_parity_add(
                    factors, factors.count, targets, data.bindMemory(to: UInt8.self).baseAddress, data.count, isPlain)
            }
        }
    }

    /// Adds the products of several blocks, which lie in `data` at these offsets, each with factors of its own for all
    /// targets: so targets are read and written once for all of them.
    static func add(
        _ data: [UInt8], _ blocks: [Int], size: Int, by factors: [UInt8], to memory: inout [UInt8], at offsets: [Int],
        isPlain: Bool
    ) {
        precondition(factors.count == blocks.count * offsets.count && offsets.count < 256)
        precondition(blocks.allSatisfy { $0 >= 0 && $0 + size <= data.count })
        precondition(offsets.allSatisfy { $0 >= 0 && $0 + size <= memory.count })
        memory.withUnsafeMutableBufferPointer { memory in
            data.withUnsafeBufferPointer { data in
                guard let base = memory.baseAddress, let start = data.baseAddress else { return }
                let (targets, sources) = (offsets.map { Optional(base + $0) }, blocks.map { Optional(start + $0) })
                sluice_parity_add_blocks(
                    factors, targets.count, targets, sources, sources.count, size, isPlain)
            }
        }
    }

    /// The inverse of the part of the matrix that has these rows and blocks, row by row: one row for each block.
    ///
    /// That of a Cauchy matrix follows from products of sums, with as many multiplications as it has elements.
    static func inverse(capacity: Int, rows: [Int], blocks: [Int]) -> [UInt8] {
        let (x, y) = (rows.map { UInt8(capacity + $0) }, blocks.map { UInt8($0) })
        func product(_ value: UInt8, with others: [UInt8]) -> UInt8 {
            others.reduce(1) { $1 == value ? $0 : sluice_parity_product($0, value ^ $1) }
        }
        // No row is a block, so that only the sum with itself is left out.
        let row = x.map { sluice_parity_quotient(product($0, with: y), product($0, with: x)) }
        let block = y.map { sluice_parity_quotient(product($0, with: x), product($0, with: y)) }
        return zip(blocks, block).flatMap { number, ofBlock in
            zip(rows, row).map { row, ofRow in
                let sum = factor(capacity: capacity, row: row, block: number)
                return sluice_parity_product(sum, sluice_parity_product(ofRow, ofBlock))
            }
        }
    }
}

/// What a block is known by.
struct BlockMark: Equatable, Sendable {
    /// CRC-32C, by which it is found at another place.
    var crc: UInt32
    /// XXH64, which proves it.
    var hash: UInt64

    init(crc: UInt32, hash: UInt64) { (self.crc, self.hash) = (crc, hash) }

    init(of block: RawSpan) {
        hash = xxh64(block)
        crc = block.withUnsafeBytes { sluice_parity_crc32c(0, $0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
    }
}

/// XXH64 with seed 0.
package func xxh64(_ bytes: RawSpan) -> UInt64 { bytes.withUnsafeBytes { XXH64($0.baseAddress, $0.count, 0) } }

// MARK: Numbers

extension [UInt8] {
    mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Writes bytes over those at an offset.
    mutating func replace(at offset: Int, with bytes: [UInt8]) {
        replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
}

extension RawSpan {
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number {
        Number(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }
}
