// Blocks that give libzstd the state of the first stage: a decoder can only get it by decoding blocks.
#include "bits.h"
#include "tables.h"

#include <stdlib.h>

enum { RAW_LITERALS, RUN_LITERALS, COMPRESSED_LITERALS };

static void put(uint8_t **next, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++) *(*next)++ = value >> (8 * i);
}

/// Writes a block's header before the bytes that follow `block`.
static void finish_block(uint8_t *block, const uint8_t *end) {
    uint32_t size = end - block - STAGES_BLOCK_HEADER_SIZE;
    put(&block, size << 3 | STAGES_COMPRESSED << 1, STAGES_BLOCK_HEADER_SIZE);
}

/// Writes a block with one match, which makes `offset` the first repeated offset. Each of its tables has a single
/// state.
static void put_offset(uint8_t **next, uint32_t offset) {
    uint8_t *block = *next;
    *next += STAGES_BLOCK_HEADER_SIZE;
    put(next, 1 << 3 | RUN_LITERALS, 1);
    put(next, 0, 1);
    put(next, 1, 1);
    put(next, 0x54, 1); // three single states
    put(next, 1, 1);    // one literal
    put(next, highest_bit(offset + 3), 1);
    put(next, 0, 1); // a match of three bytes
    // The highest bit of the number doubles as the end mark of the stream; the bits below it are all that the stream
    // contains.
    put(next, offset + 3, highest_bit(offset + 3) / 8 + 1);
    finish_block(block, *next);
}

/// The last block of the batch that describes codes; NULL if none does.
static const stages_found *find_codes(const stages_batch *batch) {
    for (uint32_t i = batch->count; i > 0; i--) {
        const stages_found *found = &batch->found[i - 1];
        if (found->type == STAGES_COMPRESSED && found->literals.type == COMPRESSED_LITERALS) return found;
    }
    return NULL;
}

bool stages_has_codes(const stages_batch *batch) { return find_codes(batch) != NULL; }

bool stages_join(stages_batch *batch, const stages_batch *next) {
    if (batch->filled + next->filled + STAGES_SLACK > sizeof batch->input) return false;
    uint8_t *to = batch->input + batch->filled;
    memcpy(to, next->input, next->filled);
    batch->filled += next->filled;
    const stages_found *codes = find_codes(next);
    if (!codes) return true;
    // Of the blocks, only the last codes are still of use.
    batch->found[0] = *codes;
    batch->found[0].bytes = to + (codes->bytes - next->input);
    batch->found[0].literals.bytes = to + (codes->literals.bytes - next->input);
    batch->count = 1;
    return true;
}

size_t stages_restore_codes(const stages_batch *batch, uint8_t *room) {
    const stages_found *found = find_codes(batch);
    uint8_t *next = room + STAGES_BLOCK_HEADER_SIZE;
    size_t size = found->literals.bytes + found->literals.size - found->bytes;
    memcpy(next, found->bytes, size);
    next += size;
    put(&next, 0, 1); // no sequences
    finish_block(room, next);
    return next - room;
}

/// A bit stream, from its first bit, which is read last.
typedef struct {
    uint8_t bytes[16];
    unsigned count; // bits
} Stream;

static void append(Stream *stream, uint32_t value, int count) {
    for (int i = 0; i < count; i++, stream->count++) stream->bytes[stream->count / 8] |= (value >> i & 1) << stream->count % 8;
}

/// The state with the smallest base. Offset states with an explicit offset only count if they can encode `offset`.
static int choose(const Table *table, int kind, uint32_t offset) {
    int best = -1;
    for (int i = 0; i < 1 << table->log; i++) {
        const State *state = &table->states[i];
        bool is_explicit = kind == OFFSETS && state->extra_bits > 1;
        if (is_explicit && state->extra_bits != highest_bit(offset + 3)) continue;
        if (best < 0 || state->base < table->states[best].base) best = i;
    }
    return best;
}

/// Writes a block with one match that uses these tables, and before it blocks that make the repeated offsets come out
/// as required.
static bool put_tables(
    uint8_t **next, const stages_description *descriptions, const uint32_t *repeats, Table *tables) {
    const uint8_t *starts[3], *ends[3];
    int modes[3], states[3];
    for (int kind = 0; kind < 3; kind++) {
        const uint8_t *limit;
        starts[kind] = stages_find_table(kind, &descriptions[kind], &modes[kind], &limit);
        if (!starts[kind]) return false;
        ends[kind] = stages_read_table(kind, modes[kind], starts[kind], limit, &tables[kind]);
        if (!ends[kind]) return false;
        states[kind] = choose(&tables[kind], kind, repeats[0]);
        // The last match had this offset, so a table without repeated offsets can encode it.
        if (states[kind] < 0) return false;
    }
    State literal = tables[LITERAL_LENGTHS].states[states[LITERAL_LENGTHS]];
    State match = tables[MATCH_LENGTHS].states[states[MATCH_LENGTHS]];
    State offset = tables[OFFSETS].states[states[OFFSETS]];
    bool is_explicit = offset.extra_bits > 1;
    // The position of the repeated offset that the match uses and moves to the front; an explicit offset pushes out the
    // third.
    unsigned which = is_explicit ? 2 : offset.base - 1 + (literal.base == 0);
    for (int i = 2; i >= 0; i--) put_offset(next, repeats[i < (int)which ? i + 1 : i == (int)which ? 0 : i]);
    uint8_t *block = *next;
    *next += STAGES_BLOCK_HEADER_SIZE;
    put(next, RUN_LITERALS | 3 << 2 | literal.base << 4, 3);
    put(next, 0, 1);
    put(next, 1, 1);
    put(next, modes[0] << 6 | modes[1] << 4 | modes[2] << 2, 1);
    for (int kind = 0; kind < 3; kind++) {
        memcpy(*next, starts[kind], ends[kind] - starts[kind]);
        *next += ends[kind] - starts[kind];
    }
    Stream stream = {0};
    append(&stream, 0, literal.extra_bits % WIDE + match.extra_bits % WIDE);
    append(&stream, is_explicit ? repeats[0] - offset.base : 0, offset.extra_bits);
    append(&stream, states[MATCH_LENGTHS], tables[MATCH_LENGTHS].log);
    append(&stream, states[OFFSETS], tables[OFFSETS].log);
    append(&stream, states[LITERAL_LENGTHS], tables[LITERAL_LENGTHS].log);
    append(&stream, 1, 1);
    memcpy(*next, stream.bytes, (stream.count + 7) / 8);
    *next += (stream.count + 7) / 8;
    finish_block(block, *next);
    return true;
}

size_t stages_restore(const stages_batch *batch, const stages_history *history, uint8_t *room) {
    const stages_finder *before = &batch->before;
    stages_tables *tables = stages_make_tables();
    uint8_t *next = room;
    // Something is written even if there is nothing to restore.
    put(&next, 1 << 3 | STAGES_RUN << 1, STAGES_BLOCK_HEADER_SIZE);
    put(&next, 0, 1);
    bool is_done = tables != NULL;
    if (is_done && before->tables[0].number > 0)
        is_done = put_tables(&next, before->tables, history->repeats, tables->tables);
    stages_free_tables(tables);
    return is_done ? next - room : 0;
}
