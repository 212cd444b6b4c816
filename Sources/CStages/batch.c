// Several blocks at a time: a single block is too little work to hand to another thread.
#include "CStages.h"

#include <stdlib.h>
#include <string.h>

// Most of the memory is never touched: the sequences of ordinary blocks fill a fifth of their array.
stages_batch *stages_make_batch(void) { return malloc(sizeof(stages_batch)); }

void stages_free_batch(stages_batch *batch) { free(batch); }

void stages_begin_batch(stages_batch *batch, stages_finder *finder) {
    batch->count = batch->filled = batch->start = 0;
    batch->has_last = batch->is_refused = false;
    stages_keep(finder, batch->descriptions);
    batch->before = *finder;
}

/// The size of the incomplete block, as far as it is known.
static uint32_t wanted(const stages_batch *batch) {
    uint32_t size = STAGES_BLOCK_HEADER_SIZE;
    return batch->filled - batch->start < size ? size : size + stages_length(batch->input + batch->start);
}

size_t stages_fill_batch(stages_batch *batch, stages_finder *finder, const uint8_t *bytes, size_t count) {
    size_t taken = 0;
    while (!stages_is_full(batch)) {
        uint32_t size = wanted(batch);
        batch->is_refused = size > STAGES_BLOCK_HEADER_SIZE + STAGES_BLOCK_SIZE;
        if (batch->is_refused) return taken;
        size_t missing = batch->start + size - batch->filled;
        if (missing > count - taken) missing = count - taken;
        if (missing > 0) memcpy(batch->input + batch->filled, bytes + taken, missing);
        batch->filled += missing;
        taken += missing;
        // Once the header is complete, the rest of the block is wanted too.
        if (batch->filled < batch->start + wanted(batch)) {
            if (taken == count) return taken;
            continue;
        }
        stages_found *found = &batch->found[batch->count];
        batch->is_refused = !stages_find(finder, batch->input + batch->start, found);
        if (batch->is_refused) return taken;
        batch->has_last = found->is_last;
        bool is_empty = found->type != STAGES_COMPRESSED && found->size == 0;
        // Drop empty blocks, because any number of them may follow the content.
        if (is_empty && !found->is_last) batch->filled = batch->start;
        if (!is_empty) batch->count++;
        batch->start = batch->filled;
    }
    return taken;
}

void stages_pass_on(stages_batch *batch, stages_batch *next) {
    next->filled = batch->filled - batch->start;
    memcpy(next->input, batch->input + batch->start, next->filled);
    batch->filled = batch->start;
}

bool stages_decode_batch(stages_batch *batch, stages_tables *tables) {
    uint8_t *literals = batch->literals;
    stages_sequence *sequences = batch->sequences;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!stages_decode(tables, &batch->found[i], batch->before.block_size, literals, sequences, &batch->blocks[i])) return false;
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
