// Reads numbers from bit streams.
#ifndef SLUICE_CSTAGES_BITS_H
#define SLUICE_CSTAGES_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint64_t load(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value); // assumes a little-endian machine
    return value;
}

static inline int highest_bit(uint32_t value) { return 31 - __builtin_clz(value); }

/// - Parameter count: below 64.
static inline uint64_t low_bits(uint64_t value, unsigned count) { return value & ((UINT64_C(1) << count) - 1); }

// Streams are read backwards, from the bit before the end mark to the first bit. `left` counts the unread bits.

/// The number of bits in a stream without its end mark; -1 if it has none.
static inline int64_t bits_of(const uint8_t *stream, size_t size) {
    return size > 0 && stream[size - 1] ? (int64_t)size * 8 - 8 + highest_bit(stream[size - 1]) : -1;
}

/// Reads up to 57 bits. Beyond the first bit of the stream there are zeros, and `left` is then negative.
static inline uint64_t read_bits(const uint8_t *stream, int64_t *left, unsigned count) {
    int64_t from = *left - count;
    *left = from;
    if (from >= 0) return low_bits(load(stream + (from >> 3)) >> (from & 7), count);
    if (from + (int64_t)count <= 0) return 0;
    return low_bits(load(stream) << -from, count);
}

#endif
