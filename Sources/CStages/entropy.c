// The first stage: reads literals and sequences from the bit streams of a block (RFC 8878, 3.1.1.3).
#include "CStages.h"

#include "bits.h"
#include "references.h"
#include "tables.h"

// Variable shifts dominate. BMI2 (2013) has faster ones. `target_clones` would detect them at every start, at a
// microsecond or more per CPUID under a hypervisor, so we do it lazily.
#if defined(__x86_64__)
#include <cpuid.h>

enum { BMI2 = 1 << 8, AVX2 = 1 << 5, KNOWN = 1 };

/// Whether the machine has a feature that function 7 of CPUID reports in EBX.
static bool has(unsigned feature) {
    static _Atomic unsigned found;
    unsigned features = found, a, b, c, d;
    if (features == 0) {
        features = __get_cpuid_count(7, 0, &a, &b, &c, &d) ? b : 0;
        // The kernel also has to save the wide registers: bits 1 and 2 of XCR0 (SSE and AVX).
        bool is_saved = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
        if (is_saved) __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
        if (!is_saved || (a & 6) != 6) features &= ~(unsigned)AVX2;
        found = features |= KNOWN;
    }
    return (features & feature) != 0;
}

/// Defines NAME as NAME_anyhow, compiled twice: for all machines, and for those with a feature.
#define FOR_MACHINES_WITH(feature, target_name, type, name, parameters, arguments)    \
    __attribute__((target(target_name))) static type name##_with_##feature parameters { \
        return name##_anyhow arguments;                                                 \
    }                                                                                   \
    static type name parameters {                                                       \
        return has(feature) ? name##_with_##feature arguments : name##_anyhow arguments; \
    }
#else
#define FOR_MACHINES_WITH(feature, target_name, type, name, parameters, arguments) \
    static type name parameters { return name##_anyhow arguments; }
#endif

// Always inlined, so that each of the two versions is compiled for its machines.
#define CLONED static inline __attribute__((always_inline))

/// Both numbers of bits, in one byte each, so that those of several states can be added at once.
static inline unsigned widths(State state) { return state.extra_bits | (unsigned)state.state_bits << 8; }

// Literals

/// Decodes `count` literals from one stream, which must then be used up.
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

/// Decodes five literals, whose codes fit in one load.
///
/// - Parameter place: the position in the stream, as the number of a bit in the address space.
static inline uint64_t decode_five(const Code *codes, uint64_t place, uint8_t *literals) {
    uint64_t bits = load((const uint8_t *)(uintptr_t)(place >> 3) - 7) << (8 - (place & 7));
    // At most 5 * 11 bits: the sum of the low bytes never carries into the symbols.
    unsigned used = 0;
    for (int i = 0; i < 5; i++) {
        Code code = codes[bits >> (64 - HUFFMAN_LOG)];
        bits <<= code & 63;
        used += code;
        literals[i] = code >> 8;
    }
    return place - (used & 0xFF);
}

/// Decodes literals from four streams at once, five from each per round. There must be enough bits and room for all
/// rounds.
CLONED void decode_rounds_anyhow(
    const Code *codes, uint64_t *places, uint8_t *literals, size_t part, size_t rounds) {
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
FOR_MACHINES_WITH(
    BMI2, "bmi2", void, decode_rounds,
    (const Code *codes, uint64_t *places, uint8_t *literals, size_t part, size_t rounds),
    (codes, places, literals, part, rounds))

static bool decode_streams(const Code *codes, const uint8_t *bytes, size_t size, uint8_t *literals, size_t count) {
    const uint8_t *streams[4];
    uint64_t starts[4], places[4];
    size_t part = (count + 3) / 4, start = 6, done = 0;
    // Six bytes give the sizes of the first three streams; the last one takes the rest. libzstd rejects four streams
    // for so few literals.
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
        // The last stream has the fewest literals.
        size_t rounds = (count - part * 3 - done) / 5;
        for (int i = 0; i < 4; i++) {
            // A load needs 64 bits before the place, and a round takes at most 5 * HUFFMAN_LOG of them.
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

static bool decode_literals(stages_tables *tables, const stages_found *found, uint8_t *literals) {
    const stages_literals *header = &found->literals;
    if (header->type == 1) {
        memset(literals, *header->bytes, header->count);
        return true;
    }
    const uint8_t *bytes = header->bytes, *end = bytes + header->size;
    if (header->type == 2 || tables->codes_number != found->codes.number) {
        tables->codes_number = 0;
        const uint8_t *limit, *described = stages_find_codes(&found->codes, &limit);
        const uint8_t *after = described ? stages_read_codes(described, limit, tables->codes) : NULL;
        if (!after) return false;
        tables->codes_number = found->codes.number;
        if (header->type == 2) bytes = after;
    }
    if (header->streams == 1)
        return decode_stream(tables->codes, bytes, bits_of(bytes, end - bytes), literals, header->count);
    return decode_streams(tables->codes, bytes, end - bytes, literals, header->count);
}

// Sequences

/// Makes the tables that differ from those used last.
///
/// - Returns: the end of the block's own descriptions.
static const uint8_t *prepare_tables(stages_tables *tables, const stages_found *found, const uint8_t *end) {
    const uint8_t *section = found->literals.bytes + found->literals.size, *bytes = found->sequences.bytes;
    for (int kind = 0; kind < 3; kind++) {
        const stages_description *described = &found->tables[kind];
        bool is_own = described->bytes == section;
        if (!is_own && tables->table_numbers[kind] == described->number) continue;
        tables->table_numbers[kind] = 0;
        if (is_own) {
            bytes = stages_read_table(kind, found->sequences.modes[kind], bytes, end, &tables->tables[kind]);
            if (!bytes) return NULL;
        } else {
            int mode;
            const uint8_t *limit, *there = stages_find_table(kind, described, &mode, &limit);
            if (!there || !stages_read_table(kind, mode, there, limit, &tables->tables[kind])) return NULL;
        }
        tables->table_numbers[kind] = described->number;
    }
    return bytes;
}

/// The state that is carried from one sequence of a block to the next.
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

/// Decodes one sequence field by field: at the end of the stream, and if fields are long.
static bool decode_carefully(
    const stages_tables *tables, Run *run, uint32_t index, bool is_last, stages_sequence *sequence, stages_block *block) {
    State literal = tables->tables[LITERAL_LENGTHS].states[run->states[LITERAL_LENGTHS]];
    State match = tables->tables[MATCH_LENGTHS].states[run->states[MATCH_LENGTHS]];
    State offset = tables->tables[OFFSETS].states[run->states[OFFSETS]];
    uint32_t distance = offset.base + read_bits(run->stream, &run->left, offset.extra_bits);
    uint32_t match_length = match.base + read_bits(run->stream, &run->left, match.extra_bits % WIDE);
    uint32_t literal_length = literal.base + read_bits(run->stream, &run->left, literal.extra_bits % WIDE);
    uint32_t *repeats = run->repeats;
    // RFC 8878, 3.1.1.5: codes 0 and 1 select a repeated offset, and the selection shifts by one if there are no
    // literals.
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
    // The second stage has to resolve offsets up to the last reference.
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

/// Decodes sequences whose fields fit in one load, until another one comes or the end of the stream is near.
///
/// - Returns: the first sequence that was not decoded.
CLONED stages_sequence *decode_quickly_anyhow(
    const stages_tables *tables, Run *run, stages_sequence *next, const stages_sequence *end) {
    const State *literal_states = tables->tables[LITERAL_LENGTHS].states;
    const State *match_states = tables->tables[MATCH_LENGTHS].states;
    const State *offset_states = tables->tables[OFFSETS].states;
    // Number all bits of the address space, so that a position in the stream is one number instead of two.
    uint64_t start = (uintptr_t)run->stream * UINT64_C(8), place = start + run->left;
    const uint64_t limit = start + 64;
    unsigned literal_state = run->states[LITERAL_LENGTHS], match_state = run->states[MATCH_LENGTHS];
    unsigned offset_state = run->states[OFFSETS];
    uint32_t first = run->repeats[0], second = run->repeats[1], third = run->repeats[2];
    while (next < end && place >= limit) {
        State literal = literal_states[literal_state], match = match_states[match_state];
        State offset = offset_states[offset_state];
        unsigned sum = widths(literal) + widths(match) + widths(offset);
        // One load provides at least 56 bits: up to 26 for the next states, which leaves 30 for these. Wide lengths
        // exceed that.
        if (__builtin_expect((sum & 0xFF) > 30, 0)) break;
        uint64_t bits = load((const uint8_t *)(uintptr_t)(place >> 3) - 7);
        unsigned position = 56 + (place & 7), state_position = position - (sum & 0xFF);
        place -= (sum & 0xFF) + (sum >> 8);
        // Compute first what the next sequence waits for.
        state_position -= literal.state_bits;
        literal_state = literal.next + low_bits(bits >> state_position, literal.state_bits);
        state_position -= match.state_bits;
        match_state = match.next + low_bits(bits >> state_position, match.state_bits);
        state_position -= offset.state_bits;
        offset_state = offset.next + low_bits(bits >> state_position, offset.state_bits);
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
FOR_MACHINES_WITH(
    BMI2, "bmi2", stages_sequence *, decode_quickly,
    (const stages_tables *tables, Run *run, stages_sequence *next, const stages_sequence *end),
    (tables, run, next, end))

/// Sums over several sequences.
typedef struct {
    uint64_t literals, matches;
    uint32_t largest, least; // offset; references don't count
    bool has_references;
} Sums;

CLONED Sums add_up_anyhow(const stages_sequence *sequences, const stages_sequence *end) {
    uint64_t literals = 0, matches = 0;
    // As signed numbers, references are negative, and no other offsets are.
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
FOR_MACHINES_WITH(
    AVX2, "avx2", Sums, add_up, (const stages_sequence *sequences, const stages_sequence *end), (sequences, end))

/// Records what was decoded quickly. Doing so on the way would cost more, because there are not enough registers.
///
/// - Returns: whether the sequences can be valid.
static bool note(Run *run, const stages_sequence *first, const stages_sequence *sequences, const stages_sequence *end) {
    Sums sums = add_up(sequences, end);
    run->literals += sums.literals;
    run->content += sums.literals + sums.matches;
    if (sums.largest > run->reach) run->reach = sums.largest;
    // Search only if there are any: references come early in a block.
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
        // The last sequence does not lead to another state.
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
    uint32_t count = found->sequences.count;
    if (count > STAGES_MOST_SEQUENCES) return false;
    if (found->literals.type == 0) {
        block->literals = found->literals.bytes;
    } else {
        if (!decode_literals(tables, found, literals)) return false;
        block->literals = literals;
    }
    Run run = {0};
    // The repeated offsets at the start of the block are not known here: refer to them.
    for (uint32_t i = 0; i < 3; i++) run.repeats[i] = REFERENCES + (i << 28) + REFERENCE_ZERO;
    if (count > 0) {
        const uint8_t *stream = prepare_tables(tables, found, end);
        if (!stream) return false;
        if (!decode_sequences(tables, stream, end, count, sequences, &run, block)) return false;
    } else if (found->sequences.bytes != end) {
        return false;
    }
    if (run.literals > found->literals.count) return false;
    // The literals after the last sequence are content, too.
    block->size = run.content + found->literals.count - run.literals;
    block->sequences = sequences;
    block->sequence_count = count;
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
