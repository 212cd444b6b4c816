extension UInt64 {
    /// The smallest n with 2^n at or above the value; 0 for 0 and 1.
    package var ceilingLog2: Int { self <= 1 ? 0 : 64 - (self - 1).leadingZeroBitCount }
}
