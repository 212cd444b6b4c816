// Several blocks at a time: a block alone is too little work to be handed to another thread.
#include "CStages.h"

#include <stdlib.h>
#include <string.h>

// Most of it stays untouched: the sequences of ordinary blocks fill a fifth of their room.
stages_batch *stages_make_batch(void) { return malloc(sizeof(stages_batch)); }

void stages_free_batch(stages_batch *batch) { free(batch); }

void stages_begin_batch(stages_batch *batch, stages_finder *finder) {
    batch->count = batch->filled = batch->start = 0;
    batch->has_last = false;
    batch->block_size = finder->block_size;
    stages_keep(finder, batch->descriptions);
}

/// Bytes of the block that is not whole yet, as far as that is known.
static uint32_t wanted(const stages_batch *batch) {
    uint32_t size = STAGES_BLOCK_HEADER_SIZE;
    return batch->filled - batch->start < size ? size : size + stages_length(batch->input + batch->start);
}

int64_t stages_fill_batch(stages_batch *batch, stages_finder *finder, const uint8_t *bytes, size_t count) {
    size_t taken = 0;
    while (!stages_is_full(batch)) {
        uint32_t size = wanted(batch);
        if (size > STAGES_BLOCK_HEADER_SIZE + STAGES_BLOCK_SIZE) return -1;
        size_t missing = batch->start + size - batch->filled;
        if (missing > count - taken) missing = count - taken;
        if (missing > 0) memcpy(batch->input + batch->filled, bytes + taken, missing);
        batch->filled += missing;
        taken += missing;
        if (batch->filled < batch->start + wanted(batch)) {
            if (taken == count) return taken;
            continue;
        }
        stages_found *found = &batch->found[batch->count];
        if (!stages_find(finder, batch->input + batch->start, found)) return -1;
        batch->has_last = found->is_last;
        if (found->type != STAGES_COMPRESSED && found->size == 0) {
            // What holds nothing has no place: behind the end of the content may be any number of such blocks.
            batch->filled = batch->start;
            continue;
        }
        batch->count++;
        batch->start = batch->filled;
    }
    return taken;
}

bool stages_decode_batch(stages_batch *batch, stages_tables *tables) {
    uint8_t *literals = batch->literals;
    stages_sequence *sequences = batch->sequences;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!stages_decode(tables, &batch->found[i], batch->block_size, literals, sequences, &batch->blocks[i])) return false;
        literals += STAGES_BLOCK_SIZE + STAGES_SLACK;
        sequences += batch->blocks[i].sequence_count;
    }
    return true;
}

int64_t stages_execute_batch(const stages_batch *batch, stages_history *history, uint8_t *output) {
    uint8_t *end = output;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!stages_execute(&batch->blocks[i], history, end)) return -1;
        end += batch->blocks[i].size;
    }
    return end - output;
}
