// Decodes compressed Zstandard blocks (RFC 8878, 3.1.1.2) in two stages, where libzstd uses one:
//
// Entropy (entropy.c) reads literals and sequences from their bit streams. It depends on other blocks only for repeated
// tables, so blocks can be processed in any order, on any core.
// Execution (execution.c) copies literals and matches to their places. It depends on the window and the repeated
// offsets, so blocks must be processed in order.
//
// Both may reject valid input; the caller then falls back to libzstd. They trust nothing in a block and never allocate.
#ifndef SLUICE_CSTAGES_H
#define SLUICE_CSTAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /// The most bytes that a block decompresses to.
    STAGES_BLOCK_SIZE = 128 << 10,
    /// Each sequence has a match of at least three bytes.
    STAGES_MOST_SEQUENCES = STAGES_BLOCK_SIZE / 3 + 1,
    /// How many bytes may be read after the input, the literals and the output of a block; after the last two, they may
    /// also be written.
    STAGES_SLACK = 64,
    /// The most bytes that describe a table, or the codes of literals, including what precedes it in the section.
    STAGES_DESCRIPTION_SIZE = 512,
    /// The most lengths of 65535 or more in a block: three would exceed its content.
    STAGES_MOST_LONGS = 2,
    STAGES_BLOCK_HEADER_SIZE = 3,
    /// The number of blocks in a batch, and the most bytes that they decompress to.
    STAGES_BATCH_BLOCKS = 4,
    STAGES_BATCH_SIZE = STAGES_BATCH_BLOCKS * STAGES_BLOCK_SIZE,
};

// Parsed blocks

/// The description of a table, or of the codes of literals: the start of the section of a block that contains it.
typedef struct {
    const uint8_t *bytes;
    uint32_t size;
    /// Unique among descriptions of the same kind in the frame; 0 if there is none.
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
    /// The size of what follows the header, in bytes; for a run, of its content.
    uint32_t size;
    const uint8_t *bytes;
    // Only for a compressed block.
    stages_literals literals;
    stages_sequences sequences;
    stages_description codes;
    /// Of literal lengths, offsets and match lengths.
    stages_description tables[3];
} stages_found;

/// State carried from one block to the next.
typedef struct {
    /// The most bytes that a block of this frame decompresses to.
    uint32_t block_size;
    uint32_t descriptions;
    stages_description codes, tables[3];
} stages_finder;

/// The number of bytes after a block's header.
static inline uint32_t stages_length(const uint8_t *header) {
    uint32_t bits = header[0] | header[1] << 8 | (uint32_t)header[2] << 16;
    return (bits >> 1 & 3) == STAGES_RUN ? 1 : bits >> 3;
}

/// Parses the headers of a complete block, and records its descriptions for later blocks.
bool stages_find(stages_finder *finder, const uint8_t *header, stages_found *found);

enum { STAGES_DESCRIPTIONS_SIZE = 4 * (STAGES_DESCRIPTION_SIZE + STAGES_SLACK) };

/// Copies the descriptions into `room`, of STAGES_DESCRIPTIONS_SIZE bytes, so that the memory of their blocks can be
/// reused.
void stages_keep(stages_finder *finder, uint8_t *room);

// Entropy

/// Literals, then a match. For a length of 65535 or more, 65535 is stored, and the length is the next of the block's
/// `longs`.
typedef struct {
    /// The distance back from the match in bytes, or a reference.
    ///
    /// The repeated offsets at the start of a block are those at the end of the previous one, which entropy does not
    /// know. A reference selects one of the three and contains a number to subtract from it, so that subtracting 1 from
    /// a reference works as for an offset.
    uint32_t offset;
    uint16_t literals, match;
} stages_sequence;

typedef struct {
    stages_type type;
    /// The size of the content in bytes.
    uint32_t size;
    const uint8_t *literals;
    const stages_sequence *sequences;
    uint32_t sequence_count;
    /// From this sequence on, no offset is a reference.
    uint32_t resolved;
    /// The largest offset that is not a reference.
    uint32_t reach;
    /// The repeated offsets at the end of the block, which may be references.
    uint32_t repeats[3];
    uint32_t longs[STAGES_MOST_LONGS], long_count;
} stages_block;

/// The tables that one thread used last, for one frame.
typedef struct stages_tables stages_tables;

/// NULL if there is not enough memory.
stages_tables *stages_make_tables(void);
void stages_free_tables(stages_tables *tables);

/// Reads the literals and sequences of a block. `literals` has room for a block, and `sequences` for the most
/// sequences.
bool stages_decode(
    stages_tables *tables, const stages_found *found, uint32_t block_size, uint8_t *literals,
    stages_sequence *sequences, stages_block *block);

// Execution

/// Execution state carried from one block to the next.
typedef struct {
    /// The number of bytes of the frame's content so far.
    uint64_t produced;
    uint64_t window;
    uint32_t repeats[3];
    /// The size of the buffer in which libzstd would have the content: it begins at the start again when there is no
    /// room for a block. UINT64_MAX if it has room for all of it.
    uint64_t ring;
    /// Where it would be in the buffer, and where it was when it last began again; 0 if it never has.
    uint64_t place, lap;
    /// The most bytes that a block of this frame decompresses to.
    uint32_t block_size;
} stages_history;

/// Writes the content of a block; the window lies directly before `output`.
bool stages_execute(const stages_block *block, stages_history *history, uint8_t *output);

// Batches

/// A few consecutive blocks, with all memory needed to decode them.
typedef struct {
    uint32_t count;
    /// The number of input bytes, and of those before the incomplete block.
    uint32_t filled, start;
    bool has_last, is_refused;
    /// The state before the first of its blocks.
    stages_finder before;
    stages_found found[STAGES_BATCH_BLOCKS];
    stages_block blocks[STAGES_BATCH_BLOCKS];
    uint8_t descriptions[STAGES_DESCRIPTIONS_SIZE];
    uint8_t input[STAGES_BATCH_BLOCKS * (STAGES_BLOCK_HEADER_SIZE + STAGES_BLOCK_SIZE) + STAGES_SLACK];
    uint8_t literals[STAGES_BATCH_BLOCKS * (STAGES_BLOCK_SIZE + STAGES_SLACK)];
    stages_sequence sequences[STAGES_BATCH_BLOCKS * STAGES_MOST_SEQUENCES];
} stages_batch;

/// NULL if there is not enough memory.
stages_batch *stages_make_batch(void);
void stages_free_batch(stages_batch *batch);

/// Begins with the block after those that `finder` has seen. Their batch must still exist.
void stages_begin_batch(stages_batch *batch, stages_finder *finder);

/// The `filled` bytes that it took, except for blocks without content.
static inline const uint8_t *stages_input(const stages_batch *batch) { return batch->input; }

/// Whether it takes no more bytes, also because a block was rejected.
static inline bool stages_is_full(const stages_batch *batch) {
    return batch->has_last || batch->is_refused || batch->count == STAGES_BATCH_BLOCKS;
}

/// Takes bytes of the frame until the batch is full; returns how many it took.
size_t stages_fill_batch(stages_batch *batch, stages_finder *finder, const uint8_t *bytes, size_t count);

/// Moves the start of an incomplete block to a batch that was begun after this one.
void stages_pass_on(stages_batch *batch, stages_batch *next);

bool stages_decode_batch(stages_batch *batch, stages_tables *tables);

/// Returns the number of bytes of content, or -1 if a block is rejected.
int64_t stages_execute_batch(const stages_batch *batch, stages_history *history, uint8_t *output);

// The way back to libzstd

enum { STAGES_RESTORING_SIZE = 4 * STAGES_DESCRIPTION_SIZE + STAGES_BLOCK_SIZE };

/// Adds the input of the next batch to that of a batch; both were executed. Later, the first batch has the last codes
/// of both.
///
/// - Returns: false if there is no room.
bool stages_join(stages_batch *batch, const stages_batch *next);

/// Whether a block of the batch describes codes.
bool stages_has_codes(const stages_batch *batch);

/// Writes a block with the literals of the last block of the batch that describes codes. libzstd decodes with tables
/// for one symbol or for two at a time, and the sizes of the literals decide which.
///
/// - Parameter batch: a batch with codes.
/// - Parameter room: memory for STAGES_RESTORING_SIZE bytes.
/// - Returns: the number of bytes written.
size_t stages_restore_codes(const stages_batch *batch, uint8_t *room);

/// Writes blocks that give libzstd the tables of sequences and the repeated offsets that it would have after all blocks
/// before `batch`, if as much content as the window has lies before them.
///
/// - Parameter room: memory for STAGES_RESTORING_SIZE bytes.
/// - Returns: the number of bytes written; 0 if that is not possible.
size_t stages_restore(const stages_batch *batch, const stages_history *history, uint8_t *room);

#endif
