internal import Glibc

extension UnsafeRawBufferPointer {
    /// How many bytes are the same as those of another region, from the first one on.
    package func sameBytes(as other: UnsafeRawBufferPointer) -> Int {
        let count = Swift.min(self.count, other.count)
        guard count > 0, let own = baseAddress, let others = other.baseAddress else { return 0 }
        // Which is the first one, is seldom asked.
        return memcmp(own, others, count) == 0 ? count : zip(self, other).prefix { $0 == $1 }.count
    }
}
