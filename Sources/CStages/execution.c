// The second stage: copies literals and matches to their places (RFC 8878, 3.1.1.4 and 3.1.1.5).
#include "CStages.h"
#include "references.h"

#include <string.h>

enum { WIDTH = 32 }; // bytes per copy; STAGES_SLACK covers them

static inline void copy(uint8_t *to, const uint8_t *from, size_t width) {
    uint8_t bytes[WIDTH];
    memcpy(bytes, from, width);
    memcpy(to, bytes, width);
}

/// Copies `count` bytes, and up to WIDTH bytes more.
static inline void copy_wide(uint8_t *to, const uint8_t *from, size_t count) {
    copy(to, from, WIDTH);
    for (size_t i = WIDTH; i < count; i += WIDTH) copy(to + i, from + i, WIDTH);
}

/// Copies a match that may overlap itself within the width of a copy.
static void copy_near(uint8_t *to, size_t offset, size_t count) {
    const uint8_t *from = to - offset;
    uint8_t *end = to + count;
    // Each copy doubles the length of the pattern that the next one can use.
    while (offset < 16 && to < end) {
        copy(to, from, 16);
        to += offset;
        offset *= 2;
    }
    for (; to < end; to += 16, from += 16) copy(to, from, 16);
}

static uint32_t resolve(uint32_t offset, const uint32_t *repeats) {
    if (offset < REFERENCES) return offset;
    uint32_t less = REFERENCE_ZERO - (offset & ((1u << 28) - 1)), repeat = repeats[offset >> 28 & 3];
    return repeat > less ? repeat - less : 0;
}

/// The progress within a block.
typedef struct {
    const stages_sequence *next;
    const uint8_t *literals;
    const uint32_t *longs;
    uint8_t *to;
} Place;

/// Writes the content of sequences up to `end`.
///
/// - Parameter history: NULL if no offset is a reference, and all are within the window.
/// - Parameter output: the start of the block's content.
static inline bool execute(
    Place *place, const stages_sequence *end, stages_history *history, const uint8_t *output) {
    const stages_sequence *next = place->next;
    const uint8_t *literals = place->literals;
    uint8_t *to = place->to;
    for (; next < end; next++) {
        size_t offset = next->offset, literal_count = next->literals, match = next->match;
        copy(to, literals, WIDTH);
        if (__builtin_expect(literal_count > WIDTH, 0)) {
            if (literal_count == UINT16_MAX) literal_count = *place->longs++;
            copy_wide(to, literals, literal_count);
        }
        to += literal_count;
        literals += literal_count;
        if (history) {
            offset = resolve(offset, history->repeats);
            if (offset == 0 || offset > history->window || offset > history->produced + (to - output)) return false;
        }
        if (match == UINT16_MAX) match = *place->longs++;
        if (__builtin_expect(offset < WIDTH, 0)) {
            copy_near(to, offset, match);
        } else {
            copy(to, to - offset, WIDTH);
            if (__builtin_expect(match > WIDTH, 0)) copy_wide(to, to - offset, match);
        }
        to += match;
    }
    *place = (Place){next, literals, place->longs, to};
    return true;
}

static bool execute_compressed(const stages_block *block, stages_history *history, uint8_t *output) {
    uint64_t reach = history->produced < history->window ? history->produced : history->window;
    const stages_sequence *end = block->sequences + block->sequence_count;
    // Check every offset if one may reach too far; otherwise only up to the last reference.
    const stages_sequence *careful = block->reach > reach ? end : block->sequences + block->resolved;
    Place place = {block->sequences, block->literals, block->longs, output};
    if (!execute(&place, careful, history, output)) return false;
    execute(&place, end, NULL, NULL);
    memcpy(place.to, place.literals, output + block->size - place.to);
    uint32_t repeats[3];
    for (int i = 0; i < 3; i++) {
        repeats[i] = resolve(block->repeats[i], history->repeats);
        if (repeats[i] == 0) return false;
    }
    memcpy(history->repeats, repeats, sizeof repeats);
    return true;
}

bool stages_execute(const stages_block *block, stages_history *history, uint8_t *output) {
    switch (block->type) {
    case STAGES_RAW: memcpy(output, block->literals, block->size); break;
    case STAGES_RUN: memset(output, *block->literals, block->size); break;
    case STAGES_COMPRESSED:
        if (!execute_compressed(block, history, output)) return false;
    }
    history->produced += block->size;
    history->place += block->size;
    if (block->size > 0 && history->place + history->block_size > history->ring) {
        history->lap = history->place;
        history->place = 0;
    }
    return true;
}
