// A compressed block of Zstandard (RFC 8878, 3.1.1.2) in two stages, which libzstd does in one:
//
// Entropy (entropy.c): literals and sequences out of their bit streams. It needs nothing of other blocks but tables
// that are repeated, so blocks can be taken in any order, on any core.
// Execution (execution.c): literals and matches copied to where they belong. It needs the window and the repeated
// offsets, so it takes the blocks in their order.
//
// Both refuse whatever they do not like, also what may be right: then libzstd has the last word. They believe nothing
// that a block says, and need no memory but what they are given.
#ifndef SLUICE_CSTAGES_H
#define SLUICE_CSTAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /// Bytes that a block decompresses to at most.
    STAGES_BLOCK_SIZE = 128 << 10,
    /// Each has a match of three bytes at least.
    STAGES_MOST_SEQUENCES = STAGES_BLOCK_SIZE / 3 + 1,
    /// Bytes after the input, the literals and the output of a block that may be read, and after the last two
    /// written.
    STAGES_SLACK = 64,
    /// Bytes that tell what a table is, or the codes of literals, with what stands before them.
    STAGES_DESCRIPTION_SIZE = 512,
    STAGES_MOST_LONGS = 2,
    STAGES_BLOCK_HEADER_SIZE = 3,
    /// Blocks of a batch, and what they decompress to at most.
    STAGES_BATCH_BLOCKS = 4,
    STAGES_BATCH_SIZE = STAGES_BATCH_BLOCKS * STAGES_BLOCK_SIZE,
};

// Blocks as they are found

/// Where a table is described, or the codes of literals: the start of a section of some block.
typedef struct {
    const uint8_t *bytes;
    uint32_t size;
    /// No other description of the frame has it; 0 if there is none.
    uint32_t number;
} stages_description;

typedef enum { STAGES_RAW, STAGES_RUN, STAGES_COMPRESSED } stages_type;

/// The header of the literals.
typedef struct {
    int type; // 0 raw, 1 a run, 2 compressed, 3 compressed with the codes of an earlier block
    int streams;
    uint32_t count, size; // of literals; of the section after its header
    const uint8_t *bytes; // after the header
} stages_literals;

/// The header of the sequences, whose section comes after the literals.
typedef struct {
    uint32_t count;
    int modes[3];
    const uint8_t *bytes; // after the header
} stages_sequences;

typedef struct {
    stages_type type;
    bool is_last;
    /// Of what is after the header; of a run, of its content.
    uint32_t size;
    const uint8_t *bytes;
    // Of a compressed block.
    stages_literals literals;
    stages_sequences sequences;
    stages_description codes;
    /// Of literal lengths, offsets and match lengths.
    stages_description tables[3];
} stages_found;

/// What blocks have to know of those before them.
typedef struct {
    /// Bytes that a block of this frame holds at most.
    uint32_t block_size;
    uint32_t descriptions;
    stages_description codes, tables[3];
} stages_finder;

/// Bytes that come after a block's header.
static inline uint32_t stages_length(const uint8_t *header) {
    uint32_t bits = header[0] | header[1] << 8 | (uint32_t)header[2] << 16;
    return (bits >> 1 & 3) == STAGES_RUN ? 1 : bits >> 3;
}

/// Looks at a whole block, from its header, and notes what it describes for those after it.
bool stages_find(stages_finder *finder, const uint8_t *header, stages_found *found);

/// Copies what is described, so that the blocks that did can go.
///
/// `room` holds STAGES_DESCRIPTIONS_SIZE.
enum { STAGES_DESCRIPTIONS_SIZE = 4 * (STAGES_DESCRIPTION_SIZE + STAGES_SLACK) };
void stages_keep(stages_finder *finder, uint8_t *room);

// Entropy

/// Literals, then a match. A length of 65535 or more is 65535 here, and the next of the block's `longs`.
typedef struct {
    /// Bytes back from the match; or a reference.
    ///
    /// The offsets that are repeated at the start of a block are those of the end of the one before, which entropy does
    /// not know. It writes which of the three it is, and what is to be taken off, so that arithmetic on it is right.
    uint32_t offset;
    uint16_t literals, match;
} stages_sequence;

typedef struct {
    stages_type type;
    /// Of the content, in bytes.
    uint32_t size;
    const uint8_t *literals;
    const stages_sequence *sequences;
    uint32_t sequence_count;
    /// From this sequence on no offset is a reference.
    uint32_t resolved;
    /// The largest offset that is none.
    uint32_t reach;
    /// The repeated offsets at the end, perhaps references.
    uint32_t repeats[3];
    uint32_t longs[STAGES_MOST_LONGS], long_count;
} stages_block;

/// The tables that were used last, by one thread at a time, for one frame.
typedef struct stages_tables stages_tables;

/// Null if there is no memory.
stages_tables *stages_make_tables(void);
void stages_free_tables(stages_tables *tables);

/// Reads what a block says. `literals` has room for a block, and `sequences` for the most there may be.
bool stages_decode(
    stages_tables *tables, const stages_found *found, uint32_t block_size, uint8_t *literals,
    stages_sequence *sequences, stages_block *block);

// Execution

/// What goes on from block to block.
typedef struct {
    /// Bytes of the frame's content so far.
    uint64_t produced;
    uint64_t window;
    uint32_t repeats[3];
    /// Whether a match was refused because it reaches beyond the start of the content: libzstd takes none of those.
    bool reaches_out;
} stages_history;

/// Writes the content of a block; the window lies in front of it.
bool stages_execute(const stages_block *block, stages_history *history, uint8_t *output);

// Batches

/// A few blocks that follow one another, with all the memory that their decoding takes.
typedef struct {
    uint32_t count;
    /// Bytes of the input, and those before the block that is not whole yet.
    uint32_t filled, start;
    bool has_last, is_refused;
    /// What was known of the blocks before it.
    stages_finder before;
    stages_found found[STAGES_BATCH_BLOCKS];
    stages_block blocks[STAGES_BATCH_BLOCKS];
    uint8_t descriptions[STAGES_DESCRIPTIONS_SIZE];
    uint8_t input[STAGES_BATCH_BLOCKS * (STAGES_BLOCK_HEADER_SIZE + STAGES_BLOCK_SIZE) + STAGES_SLACK];
    uint8_t literals[STAGES_BATCH_BLOCKS * (STAGES_BLOCK_SIZE + STAGES_SLACK)];
    stages_sequence sequences[STAGES_BATCH_BLOCKS * STAGES_MOST_SEQUENCES];
} stages_batch;

/// Null if there is no memory.
stages_batch *stages_make_batch(void);
void stages_free_batch(stages_batch *batch);

/// Begins with the block after those that `finder` has seen, whose batch is still there.
void stages_begin_batch(stages_batch *batch, stages_finder *finder);

/// The bytes that it took, `filled` of them, except blocks without content.
static inline const uint8_t *stages_input(const stages_batch *batch) { return batch->input; }

/// Whether it takes no more: also not after a block that is refused.
static inline bool stages_is_full(const stages_batch *batch) {
    return batch->has_last || batch->is_refused || batch->count == STAGES_BATCH_BLOCKS;
}

/// Takes bytes of the frame until the batch is full; returns how many.
size_t stages_fill_batch(stages_batch *batch, stages_finder *finder, const uint8_t *bytes, size_t count);

/// Moves the start of a block that is not whole yet to a batch that was begun after this one.
void stages_pass_on(stages_batch *batch, stages_batch *next);

bool stages_decode_batch(stages_batch *batch, stages_tables *tables);

/// Returns the bytes of content, or -1 if a block is refused.
int64_t stages_execute_batch(const stages_batch *batch, stages_history *history, uint8_t *output);

// The way back to libzstd

/// Writes blocks after which libzstd has the tables and the repeated offsets that it would have after those before
/// `batch`, if the window lies in front of them: so it can go on between two blocks of a frame.
///
/// - Parameter room: for STAGES_RESTORING_SIZE bytes.
/// - Returns: how many there are; 0 if that can't be done.
enum { STAGES_RESTORING_SIZE = 4 * STAGES_DESCRIPTION_SIZE };
size_t stages_restore(const stages_batch *batch, const stages_history *history, uint8_t *room);

#endif
