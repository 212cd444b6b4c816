// The first stage: what a block says, out of its bit streams (RFC 8878, 3.1.1.3 and 4).
#include "CStages.h"

#include "references.h"

#include <stdlib.h>
#include <string.h>

enum { LITERAL_LENGTHS, OFFSETS, MATCH_LENGTHS };
enum { HUFFMAN_LOG = 11, MOST_SYMBOLS = 256, WEIGHTS_LOG = 6 };
enum { WIDE = 32 }; // added to the extra bits of lengths that may not fit 16 bits

/// A state of a table of finite state entropy: what it stands for, and how to go on.
typedef struct {
    uint8_t extra_bits; // of the value
    uint8_t state_bits; // of the next state
    uint16_t next;      // what is added to them
    uint32_t base;      // of the value
} State;

/// The two numbers of bits, in a byte each, so that states can be added up.
static inline unsigned widths(State state) { return state.extra_bits | (unsigned)state.state_bits << 8; }

typedef struct {
    State states[512];
    int log;
} Table;

/// A symbol above, and below the bits that its code takes.
typedef uint16_t Code;

struct stages_tables {
    // With the number of the description that each was made from.
    Code codes[1 << HUFFMAN_LOG];
    uint32_t codes_number;
    Table tables[3];
    uint32_t table_numbers[3];
};

// Shifts by a number that is not known are what most of the time goes into: x86-64 has better ones since 2013.
#if defined(__x86_64__) && defined(__linux__)
#define FOR_MACHINES __attribute__((target_clones("bmi2", "default")))
#define FOR_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define FOR_MACHINES
#define FOR_VECTORS
#endif

static inline uint64_t load(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value); // little-endian machines
    return value;
}

static inline int highest_bit(uint32_t value) { return 31 - __builtin_clz(value); }
/// - Parameter count: below 64.
static inline uint64_t low_bits(uint64_t value, unsigned count) { return value & ((UINT64_C(1) << count) - 1); }

// Streams are read from their last bit, which is marked, to their first. `left` counts the bits that are not read.

static int64_t bits_of(const uint8_t *stream, size_t size) {
    return size > 0 && stream[size - 1] ? (int64_t)size * 8 - 8 + highest_bit(stream[size - 1]) : -1;
}

/// Up to 57 bits; behind the stream's first there are zeros, as `left` tells.
static inline uint64_t read_bits(const uint8_t *stream, int64_t *left, unsigned count) {
    int64_t from = *left - count;
    *left = from;
    if (from >= 0) return low_bits(load(stream + (from >> 3)) >> (from & 7), count);
    if (from + (int64_t)count <= 0) return 0;
    return low_bits(load(stream) << -from, count);
}

// Tables

/// Reads how often each symbol comes (4.1.1).
///
/// - Returns: the byte behind; NULL if that is not to be believed.
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

/// Spreads symbols over the states (4.1.1): which symbol each has, how many bits lead on and from where.
static bool spread(const int16_t *counts, int symbols, int log, uint8_t *symbol_of, uint8_t *bits, uint16_t *next) {
    int size = 1 << log, mask = size - 1, step = (size >> 1) + (size >> 3) + 3, high = size, position = 0;
    uint16_t following[MOST_SYMBOLS];
    for (int symbol = 0; symbol < symbols; symbol++) {
        following[symbol] = counts[symbol] < 0 ? 1 : counts[symbol];
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

/// What a code stands for. Of offsets the three repeated ones are 1, 2 and 3, as in the format, and the others from 1.
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

/// Reads the description of one table.
///
/// - Parameter table: NULL to find only the byte behind.
static const uint8_t *read_table(int kind, int mode, const uint8_t *bytes, const uint8_t *end, Table *table) {
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

// Sections of a block

typedef struct {
    int type; // 0 raw, 1 a run, 2 compressed, 3 compressed with the codes of an earlier block
    int streams;
    uint32_t count, size; // of literals; of the section behind its header
    const uint8_t *bytes; // behind the header
} LiteralsHeader;

static bool read_literals_header(const uint8_t *bytes, const uint8_t *end, LiteralsHeader *header) {
    if (end - bytes < 1) return false;
    int format = bytes[0] >> 2 & 3;
    header->type = bytes[0] & 3;
    if (header->type < 2) {
        int length = format == 1 ? 2 : format == 3 ? 3 : 1;
        if (end - bytes < length) return false;
        header->count = length == 1 ? bytes[0] >> 3 : low_bits(load(bytes), length * 8) >> 4;
        header->size = header->type == 0 ? header->count : 1;
        header->bytes = bytes + length;
    } else {
        static const int lengths[] = {3, 3, 4, 5}, widths[] = {10, 10, 14, 18};
        int length = lengths[format], width = widths[format];
        if (end - bytes < length) return false;
        uint64_t bits = load(bytes) >> 4;
        header->streams = format == 0 ? 1 : 4;
        header->count = low_bits(bits, width);
        header->size = low_bits(bits >> width, width);
        header->bytes = bytes + length;
    }
    return header->count <= STAGES_BLOCK_SIZE;
}

typedef struct {
    uint32_t count;
    int modes[3];
    const uint8_t *bytes; // behind the header
} SequencesHeader;

static bool read_sequences_header(const uint8_t *bytes, const uint8_t *end, SequencesHeader *header) {
    if (end - bytes < 1) return false;
    uint32_t first = *bytes++;
    header->count = first;
    header->bytes = bytes;
    if (first == 0) return true;
    int more = first < 128 ? 0 : first < 255 ? 1 : 2;
    if (end - bytes < more + 1) return false;
    if (more == 1) header->count = ((first - 128) << 8) + bytes[0];
    if (more == 2) header->count = bytes[0] + (bytes[1] << 8) + 0x7F00;
    int modes = bytes[more];
    for (int kind = 0; kind < 3; kind++) header->modes[kind] = modes >> (6 - 2 * kind) & 3;
    header->bytes = bytes + more + 1;
    // A count of 0 in two bytes, which has modes: libzstd's versions differ.
    return (modes & 3) == 0 && header->count > 0;
}

static stages_description describe(stages_finder *finder, const uint8_t *bytes, const uint8_t *end) {
    size_t size = end - bytes;
    if (size > STAGES_DESCRIPTION_SIZE) size = STAGES_DESCRIPTION_SIZE;
    return (stages_description){bytes, size, finder->descriptions};
}

bool stages_find(stages_finder *finder, const uint8_t *header, stages_found *found) {
    uint64_t bits = load(header);
    const uint8_t *bytes = header + STAGES_BLOCK_HEADER_SIZE, *end = bytes + stages_length(header);
    *found = (stages_found){.type = bits >> 1 & 3, .is_last = bits & 1, .size = low_bits(bits, 24) >> 3, .bytes = bytes};
    if (found->type > STAGES_COMPRESSED || found->size > finder->block_size) return false;
    if (found->type != STAGES_COMPRESSED) return true;
    LiteralsHeader literals;
    SequencesHeader sequences;
    if (!read_literals_header(bytes, end, &literals)) return false;
    if (literals.size > (size_t)(end - literals.bytes)) return false;
    const uint8_t *section = literals.bytes + literals.size;
    if (!read_sequences_header(section, end, &sequences)) return false;
    finder->descriptions++;
    if (literals.type == 2) finder->codes = describe(finder, bytes, end);
    found->codes = finder->codes;
    if (literals.type == 3 && found->codes.number == 0) return false;
    for (int kind = 0; kind < 3 && sequences.count > 0; kind++) {
        if (sequences.modes[kind] != 3) finder->tables[kind] = describe(finder, section, end);
        found->tables[kind] = finder->tables[kind];
        if (found->tables[kind].number == 0) return false;
    }
    return true;
}

static void keep(stages_description *description, uint8_t *room) {
    if (description->number == 0) return;
    memmove(room, description->bytes, description->size);
    description->bytes = room;
}

void stages_keep(stages_finder *finder, uint8_t *room) {
    size_t size = STAGES_DESCRIPTION_SIZE + STAGES_SLACK;
    keep(&finder->codes, room);
    for (int kind = 0; kind < 3; kind++) keep(&finder->tables[kind], room + (kind + 1) * size);
}

// Literals

/// Reads the weights of the codes, which are compressed themselves (4.2.1.2).
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
        if (left < 0) {
            weights[count] = symbol_of[states[count & 1]];
            return count + 1;
        }
    }
}

/// Reads the codes of literals (4.2.1).
///
/// - Returns: the byte behind; NULL if they are not to be believed.
static const uint8_t *read_codes(const uint8_t *bytes, const uint8_t *end, Code *codes) {
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
    int log = highest_bit(total) + 1;
    uint32_t rest = (1u << log) - total;
    if (log > HUFFMAN_LOG || (rest & (rest - 1)) != 0) return NULL;
    weights[count++] = highest_bit(rest) + 1;

    // The longest codes come first, and those of one length in the order of their symbols. The table has places for the
    // longest there may be: shorter ones take several.
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
    // Codes of the greatest length come in pairs.
    return numbers[1] >= 2 && numbers[1] % 2 == 0 ? bytes : NULL;
}

/// Decodes `count` literals from one stream, all of which they take.
static bool decode_stream(const Code *codes, const uint8_t *stream, int64_t left, uint8_t *literals, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int64_t before = left;
        Code code = codes[read_bits(stream, &left, HUFFMAN_LOG)];
        left = before - (code & 0xFF);
        literals[i] = code >> 8;
        if (left < 0) return false;
    }
    return left == 0;
}

/// Decodes five literals, whose codes fit one load.
///
/// - Parameter place: in the stream, of the bits of all memory.
static inline uint64_t decode_five(const Code *codes, uint64_t place, uint8_t *literals) {
    uint64_t bits = load((const uint8_t *)(uintptr_t)(place >> 3) - 7) << (8 - (place & 7));
    unsigned used = 0;
    for (int i = 0; i < 5; i++) {
        Code code = codes[bits >> (64 - HUFFMAN_LOG)];
        bits <<= code & 63;
        used += code;
        literals[i] = code >> 8;
    }
    return place - (used & 0xFF);
}

/// Decodes literals from four streams at once, five of each in a round, for which there are bits and room.
FOR_MACHINES
static void decode_rounds(const Code *codes, uint64_t *places, uint8_t *literals, size_t part, size_t rounds) {
    uint64_t first = places[0], second = places[1], third = places[2], fourth = places[3];
    for (uint8_t *end = literals + 5 * rounds; literals < end; literals += 5) {
        first = decode_five(codes, first, literals);
        second = decode_five(codes, second, literals + part);
        third = decode_five(codes, third, literals + 2 * part);
        fourth = decode_five(codes, fourth, literals + 3 * part);
    }
    places[0] = first;
    places[1] = second;
    places[2] = third;
    places[3] = fourth;
}

static bool decode_streams(const Code *codes, const uint8_t *bytes, size_t size, uint8_t *literals, size_t count) {
    const uint8_t *streams[4];
    uint64_t starts[4], places[4];
    size_t part = (count + 3) / 4, start = 6, done = 0;
    // libzstd refuses four streams of so few.
    if (count < 6 || size < 10 || part * 3 > count) return false;
    for (int i = 0; i < 4; i++) {
        size_t length = i < 3 ? low_bits(load(bytes + 2 * i), 16) : size - start;
        if (length > size - start) return false;
        streams[i] = bytes + start;
        int64_t left = bits_of(streams[i], length);
        if (left < 0) return false;
        starts[i] = (uintptr_t)streams[i] * UINT64_C(8);
        places[i] = starts[i] + left;
        start += length;
    }
    while (true) {
        // The last stream has least to do.
        size_t rounds = (count - part * 3 - done) / 5;
        for (int i = 0; i < 4; i++) {
            uint64_t left = places[i] - starts[i], most = left < 64 ? 0 : (left - 64) / (5 * HUFFMAN_LOG) + 1;
            if (most < rounds) rounds = most;
        }
        if (rounds == 0) break;
        decode_rounds(codes, places, literals + done, part, rounds);
        done += 5 * rounds;
    }
    for (int i = 0; i < 4; i++) {
        size_t rest = (i < 3 ? part : count - part * 3) - done;
        if (!decode_stream(codes, streams[i], places[i] - starts[i], literals + part * i + done, rest)) return false;
    }
    return true;
}

static bool decode_literals(stages_tables *tables, const stages_found *found, const LiteralsHeader *header, uint8_t *literals) {
    if (header->type == 1) {
        memset(literals, *header->bytes, header->count);
        return true;
    }
    const uint8_t *bytes = header->bytes, *end = bytes + header->size;
    if (header->type == 2 || tables->codes_number != found->codes.number) {
        LiteralsHeader described;
        const uint8_t *limit = found->codes.bytes + found->codes.size;
        tables->codes_number = 0;
        if (!read_literals_header(found->codes.bytes, limit, &described)) return false;
        if (described.size < (size_t)(limit - described.bytes)) limit = described.bytes + described.size;
        const uint8_t *behind = read_codes(described.bytes, limit, tables->codes);
        if (!behind) return false;
        tables->codes_number = found->codes.number;
        if (header->type == 2) bytes = behind;
    }
    if (header->streams == 1)
        return decode_stream(tables->codes, bytes, bits_of(bytes, end - bytes), literals, header->count);
    return decode_streams(tables->codes, bytes, end - bytes, literals, header->count);
}

// Sequences

/// Makes the tables that are not those of the block before.
///
/// - Returns: where the block's own descriptions end.
static const uint8_t *prepare_tables(
    stages_tables *tables, const stages_found *found, const SequencesHeader *header, const uint8_t *section, const uint8_t *end) {
    const uint8_t *bytes = header->bytes;
    for (int kind = 0; kind < 3; kind++) {
        const stages_description *described = &found->tables[kind];
        bool is_own = described->bytes == section;
        if (!is_own && tables->table_numbers[kind] == described->number) continue;
        tables->table_numbers[kind] = 0;
        if (is_own) {
            bytes = read_table(kind, header->modes[kind], bytes, end, &tables->tables[kind]);
            if (!bytes) return NULL;
        } else {
            SequencesHeader other;
            const uint8_t *limit = described->bytes + described->size;
            if (!read_sequences_header(described->bytes, limit, &other)) return NULL;
            const uint8_t *there = other.bytes;
            for (int i = 0; i <= kind && there; i++)
                there = read_table(i, other.modes[i], there, limit, i == kind ? &tables->tables[kind] : NULL);
            if (!there) return NULL;
        }
        tables->table_numbers[kind] = described->number;
    }
    return bytes;
}

/// What runs through the sequences of a block.
typedef struct {
    const uint8_t *stream;
    int64_t left; // bits
    unsigned states[3];
    uint32_t repeats[3];
    uint64_t literals, content; // bytes
    uint32_t reach, resolved;
} Run;

static bool note_length(stages_block *block, uint32_t length, uint16_t *field) {
    *field = length < 0xFFFF ? length : 0xFFFF;
    if (length < 0xFFFF) return true;
    if (block->long_count == STAGES_MOST_LONGS) return false;
    block->longs[block->long_count++] = length;
    return true;
}

/// Decodes sequences one bit field at a time: at the end of the stream, and those with long fields.
static bool decode_carefully(
    const stages_tables *tables, Run *run, uint32_t index, bool is_last, stages_sequence *sequence, stages_block *block) {
    State literal = tables->tables[LITERAL_LENGTHS].states[run->states[LITERAL_LENGTHS]];
    State match = tables->tables[MATCH_LENGTHS].states[run->states[MATCH_LENGTHS]];
    State offset = tables->tables[OFFSETS].states[run->states[OFFSETS]];
    uint32_t distance = offset.base + read_bits(run->stream, &run->left, offset.extra_bits);
    uint32_t match_length = match.base + read_bits(run->stream, &run->left, match.extra_bits % WIDE);
    uint32_t literal_length = literal.base + read_bits(run->stream, &run->left, literal.extra_bits % WIDE);
    uint32_t *repeats = run->repeats;
    if (offset.extra_bits > 1) {
        if (distance > INT32_MAX) return false;
        if (distance > run->reach) run->reach = distance;
        repeats[2] = repeats[1];
        repeats[1] = repeats[0];
        repeats[0] = distance;
    } else {
        unsigned which = distance - 1 + (literal_length == 0);
        distance = which < 3 ? repeats[which] : repeats[0] - 1;
        if (which > 1) repeats[2] = repeats[1];
        if (which > 0) repeats[1] = repeats[0];
        repeats[0] = distance;
    }
    if (distance >= REFERENCES) run->resolved = index + 1;
    if (distance == 0 || run->left < 0) return false;
    sequence->offset = distance;
    run->literals += literal_length;
    run->content += match_length + literal_length;
    if (run->content > STAGES_BLOCK_SIZE) return false;
    if (!note_length(block, literal_length, &sequence->literals)) return false;
    if (!note_length(block, match_length, &sequence->match)) return false;
    if (is_last) return run->left == 0;
    run->states[LITERAL_LENGTHS] = literal.next + read_bits(run->stream, &run->left, literal.state_bits);
    run->states[MATCH_LENGTHS] = match.next + read_bits(run->stream, &run->left, match.state_bits);
    run->states[OFFSETS] = offset.next + read_bits(run->stream, &run->left, offset.state_bits);
    return run->left >= 0;
}

/// Decodes sequences whose fields fit one load, as long as they come and the stream is far from its end.
///
/// - Returns: the first that was not decoded.
FOR_MACHINES
static stages_sequence *decode_quickly(
    const stages_tables *tables, Run *run, stages_sequence *next, const stages_sequence *end) {
    const State *literal_states = tables->tables[LITERAL_LENGTHS].states;
    const State *match_states = tables->tables[MATCH_LENGTHS].states;
    const State *offset_states = tables->tables[OFFSETS].states;
    // All bits of memory have a number here: so the place in the stream is one, and not two.
    uint64_t start = (uintptr_t)run->stream * UINT64_C(8), place = start + run->left;
    const uint64_t limit = start + 64;
    unsigned literal_state = run->states[LITERAL_LENGTHS], match_state = run->states[MATCH_LENGTHS];
    unsigned offset_state = run->states[OFFSETS];
    uint32_t first = run->repeats[0], second = run->repeats[1], third = run->repeats[2];
    while (next < end && place >= limit) {
        State literal = literal_states[literal_state], match = match_states[match_state];
        State offset = offset_states[offset_state];
        unsigned sum = widths(literal) + widths(match) + widths(offset);
        // At least 56 bits from one load: up to 26 for the states, and 30 for these. A wide length has more.
        if (__builtin_expect((sum & 0xFF) > 30, 0)) break;
        uint64_t bits = load((const uint8_t *)(uintptr_t)(place >> 3) - 7);
        unsigned position = 56 + (place & 7), behind = position - (sum & 0xFF);
        place -= (sum & 0xFF) + (sum >> 8);
        // What the next sequence waits for comes first.
        behind -= literal.state_bits;
        literal_state = literal.next + low_bits(bits >> behind, literal.state_bits);
        behind -= match.state_bits;
        match_state = match.next + low_bits(bits >> behind, match.state_bits);
        behind -= offset.state_bits;
        offset_state = offset.next + low_bits(bits >> behind, offset.state_bits);
        position -= offset.extra_bits;
        uint32_t distance = offset.base + low_bits(bits >> position, offset.extra_bits);
        position -= match.extra_bits;
        uint32_t match_length = match.base + low_bits(bits >> position, match.extra_bits);
        position -= literal.extra_bits;
        uint32_t literal_length = literal.base + low_bits(bits >> position, literal.extra_bits);
        if (offset.extra_bits > 1) {
            third = second;
            second = first;
        } else {
            unsigned which = distance - 1 + (literal_length == 0);
            distance = which == 0 ? first : which == 1 ? second : which == 2 ? third : first - 1;
            third = which > 1 ? second : third;
            second = which > 0 ? first : second;
        }
        first = distance;
        *next++ = (stages_sequence){distance, literal_length, match_length};
    }
    run->left = place - start;
    run->states[LITERAL_LENGTHS] = literal_state;
    run->states[MATCH_LENGTHS] = match_state;
    run->states[OFFSETS] = offset_state;
    run->repeats[0] = first;
    run->repeats[1] = second;
    run->repeats[2] = third;
    return next;
}

/// What sequences say together.
typedef struct {
    uint64_t literals, matches;
    uint32_t largest, least; // offset; references are none
    bool has_references;
} Sums;

FOR_VECTORS
static Sums add_up(const stages_sequence *sequences, const stages_sequence *end) {
    uint64_t literals = 0, matches = 0;
    // References are negative, and no other offset is.
    int32_t largest = 0, any = 0;
    uint32_t least = UINT32_MAX;
    for (const stages_sequence *next = sequences; next < end; next++) {
        int32_t offset = (int32_t)next->offset;
        largest = offset > largest ? offset : largest;
        least = next->offset < least ? next->offset : least;
        any |= offset;
        literals += next->literals;
        matches += next->match;
    }
    return (Sums){literals, matches, (uint32_t)largest, least, any < 0};
}

/// Notes what was decoded quickly. It would cost more to do that on the way: there are not registers enough.
///
/// - Returns: whether all of it can be.
static bool note(Run *run, const stages_sequence *first, const stages_sequence *sequences, const stages_sequence *end) {
    Sums sums = add_up(sequences, end);
    run->literals += sums.literals;
    run->content += sums.literals + sums.matches;
    if (sums.largest > run->reach) run->reach = sums.largest;
    // References come early in a block.
    const stages_sequence *last = sums.has_references ? end : sequences;
    while (last > sequences && last[-1].offset < REFERENCES) last--;
    if (last > sequences) run->resolved = last - first;
    return sums.least > 0 && run->content <= STAGES_BLOCK_SIZE;
}

static bool decode_sequences(
    const stages_tables *tables, const uint8_t *stream, const uint8_t *end, uint32_t count, stages_sequence *sequences, Run *run,
    stages_block *block) {
    run->stream = stream;
    run->left = bits_of(stream, end - stream);
    if (run->left < 0) return false;
    for (int kind = 0; kind < 3; kind++) run->states[kind] = read_bits(stream, &run->left, tables->tables[kind].log);
    if (run->left < 0) return false;
    uint32_t index = 0;
    while (index < count) {
        // The last one leads to no other state.
        const stages_sequence *before = sequences + index;
        index = decode_quickly(tables, run, sequences + index, sequences + count - 1) - sequences;
        if (!note(run, sequences, before, sequences + index)) return false;
        if (!decode_carefully(tables, run, index, index + 1 == count, &sequences[index], block)) return false;
        index++;
    }
    return true;
}

static bool decode_compressed(
    stages_tables *tables, const stages_found *found, uint32_t block_size, uint8_t *literals, stages_sequence *sequences,
    stages_block *block) {
    const uint8_t *end = found->bytes + found->size;
    LiteralsHeader header;
    SequencesHeader sequences_header;
    if (!read_literals_header(found->bytes, end, &header)) return false;
    const uint8_t *section = header.bytes + header.size;
    if (!read_sequences_header(section, end, &sequences_header)) return false;
    if (sequences_header.count > STAGES_MOST_SEQUENCES) return false;
    if (header.type == 0) {
        block->literals = header.bytes;
    } else {
        if (!decode_literals(tables, found, &header, literals)) return false;
        block->literals = literals;
    }
    Run run = {0};
    for (uint32_t i = 0; i < 3; i++) run.repeats[i] = REFERENCES + (i << 28) + REFERENCE_ZERO;
    if (sequences_header.count > 0) {
        const uint8_t *stream = prepare_tables(tables, found, &sequences_header, section, end);
        if (!stream) return false;
        if (!decode_sequences(tables, stream, end, sequences_header.count, sequences, &run, block)) return false;
    } else if (sequences_header.bytes != end) {
        return false;
    }
    if (run.literals > header.count) return false;
    block->literal_count = header.count;
    block->size = run.content + header.count - run.literals;
    block->sequences = sequences;
    block->sequence_count = sequences_header.count;
    block->resolved = run.resolved;
    block->reach = run.reach;
    memcpy(block->repeats, run.repeats, sizeof block->repeats);
    return block->size <= block_size;
}

bool stages_decode(
    stages_tables *tables, const stages_found *found, uint32_t block_size, uint8_t *literals,
    stages_sequence *sequences, stages_block *block) {
    *block = (stages_block){.type = found->type, .size = found->size, .literals = found->bytes};
    if (found->type != STAGES_COMPRESSED) return true;
    return decode_compressed(tables, found, block_size, literals, sequences, block);
}

stages_tables *stages_make_tables(void) { return calloc(1, sizeof(stages_tables)); }

void stages_free_tables(stages_tables *tables) { free(tables); }
