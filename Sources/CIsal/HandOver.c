// ISA-L keeps no header of the block that it decodes: only tables, by which it looks up symbols. From those the lengths
// of the codes are computed, and from the lengths a header, so that zlib can go on in the middle of a block.

#include "HandOver.h"

#include <string.h>

enum { LENGTH_CODES = 286, DISTANCE_CODES = 30, LITERALS = 257, MOST_BITS = 15 };

// A symbol in the tables is a literal, the end of the block, or 254 and the length of a match: the extra bits of a
// length belong to its code there.
enum { TABLE_SYMBOLS = 513 };

// The extra bits of codes for lengths (RFC 1951, 3.2.5).
static const uint8_t extra_bits[LENGTH_CODES - LITERALS] = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

// The bits of a code that takes a share of all patterns of `most` bits: none if it takes none. Returns false if no code
// takes such a share.
static bool code_length(uint32_t share, int most, int *bits) {
    *bits = share == 0 ? 0 : most - __builtin_ctz(share);
    return (share & (share - 1)) == 0 && *bits >= 0;
}

// For each symbol, the number of bit patterns of a given length that begin with its code.
enum { LENGTH_BITS = 21, DISTANCE_BITS = 15 };

static bool add(uint32_t *shares, uint32_t count, uint32_t symbol, uint32_t share) {
    if (symbol >= count) return false;
    shares[symbol] += share;
    return true;
}

// The first symbols of all patterns: an entry has up to three, or leads to longer codes.
static bool length_shares(const struct isal_inflate_state *state, uint32_t shares[TABLE_SYMBOLS]) {
    static const size_t most = sizeof state->lengths.long_codes / sizeof *state->lengths.long_codes;
    for (int i = 0; i < 1 << ISAL_SHORT_LENGTH_BITS; i++) {
        uint32_t entry = state->lengths.short_codes[i];
        uint32_t symbol = entry & 0x1FFFFFF;
        if ((entry & 1 << 25) == 0) {
            bool is_several = (entry >> 26 & 3) > 1;
            uint32_t share = 1 << (LENGTH_BITS - ISAL_SHORT_LENGTH_BITS);
            uint32_t first = is_several ? symbol & 0xFF : symbol;
            if (entry >> 28 != 0 && !add(shares, TABLE_SYMBOLS, first, share)) return false;
            continue;
        }
        int bits = (int)(entry >> 26) - ISAL_SHORT_LENGTH_BITS;
        if (bits < 0 || bits > LENGTH_BITS - ISAL_SHORT_LENGTH_BITS || symbol + (1u << bits) > most) return false;
        for (int j = 0; j < 1 << bits; j++) {
            uint16_t code = state->lengths.long_codes[symbol + (uint32_t)j];
            uint32_t share = 1 << (LENGTH_BITS - ISAL_SHORT_LENGTH_BITS - bits);
            if (code >> 10 != 0 && !add(shares, TABLE_SYMBOLS, code & 0x3FF, share)) return false;
        }
    }
    return true;
}

static bool distance_shares(const struct isal_inflate_state *state, uint32_t shares[DISTANCE_CODES]) {
    static const size_t most = sizeof state->distances.long_codes / sizeof *state->distances.long_codes;
    for (int i = 0; i < 1 << ISAL_SHORT_DISTANCE_BITS; i++) {
        uint16_t entry = state->distances.short_codes[i];
        if ((entry & 1 << 10) == 0) {
            uint32_t share = 1 << (DISTANCE_BITS - ISAL_SHORT_DISTANCE_BITS);
            if (entry >> 11 != 0 && !add(shares, DISTANCE_CODES, entry & 0x1F, share)) return false;
            continue;
        }
        int bits = (entry >> 11) - ISAL_SHORT_DISTANCE_BITS;
        uint32_t first = entry & 0x1FF;
        if (bits < 0 || bits > DISTANCE_BITS - ISAL_SHORT_DISTANCE_BITS || first + (1u << bits) > most) return false;
        for (int j = 0; j < 1 << bits; j++) {
            uint16_t code = state->distances.long_codes[first + (uint32_t)j];
            uint32_t share = 1 << (DISTANCE_BITS - ISAL_SHORT_DISTANCE_BITS - bits);
            if (code >> 10 != 0 && !add(shares, DISTANCE_CODES, code & 0x1F, share)) return false;
        }
    }
    return true;
}

// The lengths of the current block's codes: those for literals and lengths, and then those for distances.
static bool code_lengths(const struct isal_inflate_state *state, uint8_t lengths[LENGTH_CODES + DISTANCE_CODES]) {
    uint32_t shares[TABLE_SYMBOLS] = {0}, distances[DISTANCE_CODES] = {0};
    if (!length_shares(state, shares) || !distance_shares(state, distances)) return false;
    int bits;
    for (int i = 0; i < LITERALS; i++) {
        if (!code_length(shares[i], LENGTH_BITS, &bits)) return false;
        lengths[i] = (uint8_t)bits;
    }
    for (int i = LITERALS, symbol = LITERALS; i < LENGTH_CODES; i++) {
        int extra = extra_bits[i - LITERALS];
        uint32_t share = shares[symbol];
        // The longest match has a code of its own, which is the last, and could be said by the one before.
        if (i == LENGTH_CODES - 1 && lengths[i - 1] != 0) share -= 1u << (LENGTH_BITS - lengths[i - 1] - 5);
        if (!code_length(share, LENGTH_BITS, &bits) || (bits != 0 && bits <= extra)) return false;
        lengths[i] = (uint8_t)(bits == 0 ? 0 : bits - extra);
        symbol += 1 << extra;
        if (i == LENGTH_CODES - 2) symbol = TABLE_SYMBOLS - 1;
    }
    for (int i = 0; i < DISTANCE_CODES; i++) {
        if (!code_length(distances[i], DISTANCE_BITS, &bits)) return false;
        lengths[LENGTH_CODES + i] = (uint8_t)bits;
    }
    for (int i = 0; i < LENGTH_CODES + DISTANCE_CODES; i++) if (lengths[i] > MOST_BITS) return false;
    return lengths[LITERALS - 1] != 0;
}

// Whether these are the lengths of the fixed codes (RFC 1951, 3.2.6), which have symbols that no header can list.
static bool are_fixed(const uint8_t lengths[LENGTH_CODES + DISTANCE_CODES]) {
    for (int i = 0; i < LENGTH_CODES + DISTANCE_CODES; i++) {
        int length = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : i < LENGTH_CODES ? 8 : 5;
        if (lengths[i] != length) return false;
    }
    return true;
}

// MARK: Writing bits

struct bits {
    uint8_t *bytes;
    size_t count;
};

static void put(struct bits *bits, uint64_t value, int count) {
    for (int i = 0; i < count; i++, bits->count++)
        bits->bytes[bits->count / 8] |= (uint8_t)((value >> i & 1) << bits->count % 8);
}

static void put_header(struct bits *bits, const uint8_t lengths[LENGTH_CODES + DISTANCE_CODES]) {
    enum { CODE_LENGTHS = 19 };
    // All lengths from 0 to 15 have codes of four bits, and no code repeats a length.
    static const uint8_t order[CODE_LENGTHS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    put(bits, LENGTH_CODES - 257, 5);
    put(bits, DISTANCE_CODES - 1, 5);
    put(bits, CODE_LENGTHS - 4, 4);
    for (int i = 0; i < CODE_LENGTHS; i++) put(bits, order[i] < 16 ? 4 : 0, 3);
    for (int i = 0; i < LENGTH_CODES + DISTANCE_CODES; i++) {
        // A code begins with its highest bit.
        for (int bit = 3; bit >= 0; bit--) put(bits, lengths[i] >> bit & 1, 1);
    }
}

// The rest of the data as far as it was taken, after a header for the rest of the current block.
static bool put_data(struct bits *bits, const struct isal_inflate_state *state) {
    uint8_t lengths[LENGTH_CODES + DISTANCE_CODES];
    bool is_last = state->bfinal != 0;
    switch (state->block_state) {
    case ISAL_NEW_HEADER:
    case ISAL_HEADER: break;
    case ISAL_STORED:
        put(bits, is_last, 3);
        while (bits->count % 8 != 0) put(bits, 0, 1);
        put(bits, (uint64_t)state->stored_length, 16);
        put(bits, ~(uint64_t)state->stored_length, 16);
        break;
    case ISAL_CODED:
        if (!code_lengths(state, lengths)) return false;
        put(bits, is_last | (are_fixed(lengths) ? 1 : 2) << 1, 3);
        if (!are_fixed(lengths)) put_header(bits, lengths);
        break;
    // The end of an empty block, where the last one ends.
    case ISAL_INPUT_DONE: put(bits, 1 | 1 << 1, 10); break;
    default: return false;
    }
    put(bits, state->read_in, state->read_in_length);
    if (state->block_state != ISAL_HEADER) return true;
    for (int i = 0; i < state->tmp_in_size; i++) put(bits, state->tmp_in_buffer[i], 8);
    return true;
}

bool has_place(const struct isal_inflate_state *state) {
    int32_t start = state->tmp_out_processed, end = state->tmp_out_valid;
    if (start < 0 || start > end || (size_t)end > sizeof state->tmp_out_buffer) return false;
    if (state->tmp_in_size < 0 || (size_t)state->tmp_in_size > sizeof state->tmp_in_buffer) return false;
    return state->read_in_length >= 0 && state->read_in_length <= 64 && state->block_state <= ISAL_FINISHED;
}

bool describe(const struct isal_inflate_state *state, struct sluice_handover *handover) {
    if (!has_place(state)) return false;
    size_t end = (size_t)state->tmp_out_valid, start = (size_t)state->tmp_out_processed;
    handover->pending = state->tmp_out_buffer + start;
    handover->pending_count = end - start;
    handover->window_count = end < ISAL_WINDOW_SIZE ? end : ISAL_WINDOW_SIZE;
    handover->window = state->tmp_out_buffer + end - handover->window_count;
    handover->checksum = state->crc;
    // The data ends with a whole byte, since whole bytes of the input follow: so it begins within one.
    uint8_t trial[sizeof handover->bytes] = {0};
    struct bits bits = {trial, 0};
    if (!put_data(&bits, state)) return false;
    handover->first_bit_count = (int)(bits.count % 8);
    handover->first_bits = trial[0] & (uint8_t)((1 << handover->first_bit_count) - 1);
    handover->byte_count = bits.count / 8;
    for (size_t i = 0; i < handover->byte_count; i++) {
        size_t place = 8 * i + (size_t)handover->first_bit_count;
        uint16_t two = (uint16_t)(trial[place / 8] | (place / 8 + 1 < sizeof trial ? trial[place / 8 + 1] << 8 : 0));
        handover->bytes[i] = (uint8_t)(two >> place % 8);
    }
    return true;
}
