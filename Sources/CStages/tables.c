// Reads the descriptions of tables and codes (RFC 8878, 4.1 and 4.2).
#include "tables.h"

#include "bits.h"

#include <stdlib.h>

enum { MOST_SYMBOLS = 256, WEIGHTS_LOG = 6 };

/// Reads the probability of each symbol, as a count of states (4.1.1).
///
/// - Returns: the byte after; NULL if the counts are invalid.
static const uint8_t *read_counts(
    const uint8_t *bytes, const uint8_t *end, int most_log, int most_symbol, int16_t *counts, int *symbols, int *log) {
    if (bytes >= end) return NULL;
    uint64_t position = 4;
    *log = (bytes[0] & 15) + 5;
    if (*log > most_log) return NULL;
    int remaining = (1 << *log) + 1, threshold = 1 << *log, width = *log + 1, symbol = 0;
    bool after_zero = false;
    while (remaining > 1) {
        if (position >= (uint64_t)(end - bytes) * 8) return NULL;
        uint64_t bits = load(bytes + position / 8) >> (position % 8);
        if (after_zero) {
            // After a zero, two bits give the number of further zeros; 3 means that two more bits follow.
            int more = bits & 3;
            position += 2;
            for (int i = 0; i < more; i++) {
                if (symbol > most_symbol) return NULL;
                counts[symbol++] = 0;
            }
            if (more == 3) continue;
            after_zero = false;
            continue;
        }
        if (symbol > most_symbol) return NULL;
        // Values below `most` take one bit less.
        int most = 2 * threshold - 1 - remaining, count = bits & (threshold - 1);
        if (count < most) {
            position += width - 1;
        } else {
            count = bits & (2 * threshold - 1);
            if (count >= threshold) count -= most;
            position += width;
        }
        count--;
        remaining -= count < 0 ? 1 : count;
        counts[symbol++] = count;
        after_zero = count == 0;
        while (remaining < threshold) {
            width--;
            threshold >>= 1;
        }
    }
    if (remaining != 1 || position > (uint64_t)(end - bytes) * 8) return NULL;
    *symbols = symbol;
    return bytes + (position + 7) / 8;
}

/// Spreads symbols over the states (4.1.1): sets each state's symbol, and the bits and base of the next state.
static bool spread(const int16_t *counts, int symbols, int log, uint8_t *symbol_of, uint8_t *bits, uint16_t *next) {
    int size = 1 << log, mask = size - 1, step = (size >> 1) + (size >> 3) + 3, high = size, position = 0;
    uint16_t following[MOST_SYMBOLS];
    for (int symbol = 0; symbol < symbols; symbol++) {
        following[symbol] = counts[symbol] < 0 ? 1 : counts[symbol];
        // A symbol with a probability below 1 gets one state, at the end of the table.
        if (counts[symbol] < 0) symbol_of[--high] = symbol;
    }
    for (int symbol = 0; symbol < symbols; symbol++) {
        for (int i = 0; i < counts[symbol]; i++) {
            symbol_of[position] = symbol;
            do position = (position + step) & mask;
            while (position >= high);
        }
    }
    if (position != 0) return false;
    for (int state = 0; state < size; state++) {
        unsigned number = following[symbol_of[state]]++;
        bits[state] = log - highest_bit(number);
        next[state] = (number << bits[state]) - size;
    }
    return true;
}

static const struct {
    int most_log, most_symbol, default_log, default_symbols;
    int8_t default_counts[53];
} kinds[3] = {
    {9, 35, 6, 36,
     {4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}},
    {8, 31, 5, 29, {1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}},
    {9, 52, 6, 53, {1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}},
};

static const uint32_t literal_bases[36] = {0,  1,  2,  3,  4,  5,  6,  7,   8,   9,   10,   11,   12,   13,   14,    15,    16, 18,
                                           20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
static const uint8_t literal_bits[36] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  1,  1,
                                         1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const uint32_t match_bases[53] = {3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,  17,  18,   19,   20,
                                         21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34,  35,  37,   39,   41,
                                         43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539};
static const uint8_t match_bits[53] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0,  0,  0, 0, 0, 0,
                                       0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7,  8,  9,  10, 11, 12, 13, 14, 15, 16};

/// The value that a code stands for. Offset codes 0 and 1 select a repeated offset (1 to 3, as in the format); the
/// others give an offset, counted from 1.
static State meaning(int kind, int code) {
    State state = {0};
    if (kind == OFFSETS) {
        state.extra_bits = code;
        state.base = code < 2 ? 1u << code : (1u << code) - 3;
    } else {
        int bits = (kind == MATCH_LENGTHS ? match_bits : literal_bits)[code];
        state.extra_bits = bits + (bits < 15 ? 0 : WIDE);
        state.base = (kind == MATCH_LENGTHS ? match_bases : literal_bases)[code];
    }
    return state;
}

static bool make_table(int kind, const int16_t *counts, int symbols, int log, Table *table) {
    uint8_t symbol_of[512], bits[512];
    uint16_t next[512];
    if (!spread(counts, symbols, log, symbol_of, bits, next)) return false;
    State states[64];
    for (int symbol = 0; symbol < symbols; symbol++) states[symbol] = meaning(kind, symbol);
    for (int i = 0; i < 1 << log; i++) {
        State state = states[symbol_of[i]];
        state.state_bits = bits[i];
        state.next = next[i];
        table->states[i] = state;
    }
    table->log = log;
    return true;
}

const uint8_t *stages_read_table(int kind, int mode, const uint8_t *bytes, const uint8_t *end, Table *table) {
    int16_t counts[64];
    int symbols = 0, log = 0;
    switch (mode) {
    case 0:
        if (!table) return bytes;
        for (int i = 0; i < kinds[kind].default_symbols; i++) counts[i] = kinds[kind].default_counts[i];
        return make_table(kind, counts, kinds[kind].default_symbols, kinds[kind].default_log, table) ? bytes : NULL;
    case 1:
        if (bytes >= end || *bytes > kinds[kind].most_symbol) return NULL;
        if (table) {
            table->log = 0;
            table->states[0] = meaning(kind, *bytes);
        }
        return bytes + 1;
    case 2:
        bytes = read_counts(bytes, end, kinds[kind].most_log, kinds[kind].most_symbol, counts, &symbols, &log);
        return bytes && (!table || make_table(kind, counts, symbols, log, table)) ? bytes : NULL;
    default: return bytes;
    }
}

/// Reads weights that are themselves compressed (4.2.1.2).
static int read_compressed_weights(const uint8_t *bytes, size_t size, uint8_t *weights) {
    int16_t counts[MOST_SYMBOLS];
    int symbols, log;
    const uint8_t *end = bytes + size;
    const uint8_t *stream = read_counts(bytes, end, WEIGHTS_LOG, HUFFMAN_LOG + 1, counts, &symbols, &log);
    if (!stream) return -1;
    uint8_t symbol_of[1 << WEIGHTS_LOG], bits[1 << WEIGHTS_LOG];
    uint16_t next[1 << WEIGHTS_LOG];
    if (!spread(counts, symbols, log, symbol_of, bits, next)) return -1;
    int64_t left = bits_of(stream, end - stream);
    if (left < 2 * log) return -1;
    unsigned states[2] = {read_bits(stream, &left, log)};
    states[1] = read_bits(stream, &left, log);
    int count = 0;
    while (true) {
        unsigned *state = &states[count & 1];
        if (count >= MOST_SYMBOLS - 2) return -1;
        weights[count++] = symbol_of[*state];
        unsigned width = bits[*state];
        *state = next[*state] + read_bits(stream, &left, width);
        // Two states take turns. When the bits run out, the other one still has a weight.
        if (left < 0) {
            weights[count] = symbol_of[states[count & 1]];
            return count + 1;
        }
    }
}

const uint8_t *stages_read_codes(const uint8_t *bytes, const uint8_t *end, Code *codes) {
    uint8_t weights[MOST_SYMBOLS];
    if (end - bytes < 1) return NULL;
    int header = *bytes++, count;
    if (header < 128) {
        if (end - bytes < header) return NULL;
        count = read_compressed_weights(bytes, header, weights);
        if (count < 0) return NULL;
        bytes += header;
    } else {
        count = header - 127;
        if (end - bytes < (count + 1) / 2) return NULL;
        for (int i = 0; i < count; i++) weights[i] = i & 1 ? bytes[i / 2] & 15 : bytes[i / 2] >> 4;
        bytes += (count + 1) / 2;
    }
    uint32_t total = 0;
    for (int i = 0; i < count; i++) {
        if (weights[i] > HUFFMAN_LOG) return NULL;
        total += 1u << weights[i] >> 1;
    }
    if (total == 0) return NULL;
    // The last weight is not stored: it makes the sum a power of two.
    int log = highest_bit(total) + 1;
    uint32_t rest = (1u << log) - total;
    if (log > HUFFMAN_LOG || (rest & (rest - 1)) != 0) return NULL;
    weights[count++] = highest_bit(rest) + 1;

    // The longest codes come first, and codes of one length in the order of their symbols. The table is indexed by
    // HUFFMAN_LOG bits, so shorter codes take several entries.
    uint32_t numbers[HUFFMAN_LOG + 2] = {0}, places[HUFFMAN_LOG + 2], place = 0;
    for (int symbol = 0; symbol < count; symbol++) numbers[weights[symbol]]++;
    for (int weight = 1; weight <= log; weight++) {
        places[weight] = place;
        place += numbers[weight] << (weight - 1 + HUFFMAN_LOG - log);
    }
    for (int symbol = 0; symbol < count; symbol++) {
        int weight = weights[symbol];
        if (weight == 0) continue;
        Code code = symbol << 8 | (log + 1 - weight);
        Code *next = codes + places[weight], *end_of_code = next + (1 << (weight - 1 + HUFFMAN_LOG - log));
        places[weight] = end_of_code - codes;
        while (next < end_of_code) *next++ = code;
    }
    // The number of codes of the greatest length must be even.
    return numbers[1] >= 2 && numbers[1] % 2 == 0 ? bytes : NULL;
}

stages_tables *stages_make_tables(void) { return calloc(1, sizeof(stages_tables)); }

void stages_free_tables(stages_tables *tables) { free(tables); }
