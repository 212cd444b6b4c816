// Compares the two stages of CStages with libzstd, on frames in which a few bytes were changed.
//
//   stages SECONDS SEED FRAME...
//
// What the stages accept libzstd has to accept, with the same content; frames that were not changed they have to
// accept, or leave to it. Where they refuse, libzstd goes on from the last batches that were executed, and has to make
// of the rest what it makes of the whole, also of matches that reach beyond the window.
// Built with Address Sanitizer, by `scripts/campaign stages`.
#include <CStages.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

// STRAY_BYTES is what libzstd may overwrite after the start of a block (`Decompressor.strayBytes`).
enum { MOST_CONTENT = 4 << 20, MOST_FRAMES = 256, STRAY_BYTES = (128 << 10) + 64, MOST_KEPT = 4 };

typedef struct {
    const char *name;
    uint8_t *bytes;
    size_t size;
} Frame;

static uint64_t random_state;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void fail(const char *reason, const char *name) {
    fprintf(stderr, "stages: %s: %s\n", name, reason);
    exit(1);
}

/// A context for one frame, which does not compare checksums: the buffer of another frame could be larger.
static ZSTD_DCtx *make_context(void) {
    ZSTD_DCtx *context = ZSTD_createDCtx();
    ZSTD_DCtx_setParameter(context, ZSTD_d_forceIgnoreChecksum, 1);
    return context;
}

/// Gives libzstd bytes of a frame; returns the bytes of content, or -1 if they are refused.
static int64_t stream(ZSTD_DCtx *context, const uint8_t *bytes, size_t size, uint8_t *content, size_t room, size_t *left) {
    ZSTD_inBuffer input = {bytes, size, 0};
    ZSTD_outBuffer output = {content, room, 0};
    while (true) {
        size_t before = input.pos + output.pos;
        *left = ZSTD_decompressStream(context, &output, &input);
        if (ZSTD_isError(*left)) return -1;
        if (*left == 0 || input.pos + output.pos == before) return input.pos == size && output.pos < room ? (int64_t)output.pos : -1;
    }
}

/// Decodes a frame by libzstd, without the checksum: changed bytes would hide behind it. libzstd gets all blocks as a
/// whole, and its content in pieces, so that it does not decode the frame in one call.
static int64_t decode_by_library(const uint8_t *bytes, size_t size, uint8_t *content) {
    ZSTD_DCtx *context = make_context();
    ZSTD_inBuffer input = {bytes, size, 0};
    int64_t produced = 0, result = -1;
    while (true) {
        uint8_t piece[64 << 10];
        ZSTD_outBuffer output = {piece, sizeof piece, 0};
        size_t left = ZSTD_decompressStream(context, &output, &input);
        if (ZSTD_isError(left) || produced + output.pos > MOST_CONTENT) break;
        memcpy(content + produced, piece, output.pos);
        produced += output.pos;
        if (left == 0 && input.pos == size) result = produced;
        if (left == 0 || (input.pos == size && output.pos < sizeof piece)) break;
    }
    ZSTD_freeDCtx(context);
    return result;
}

/// The buffer of libzstd, which is filled as `Decompressor.restore` fills it.
typedef struct {
    ZSTD_DCtx *context;
    size_t roomy, block; // up to `roomy` there is room for a block
} Ring;

/// Decodes raw blocks to these places: `count` zeros, then `content`.
static void fill(const Ring *ring, size_t place, size_t end, size_t zeros, const uint8_t *content) {
    static uint8_t dropped[STAGES_BLOCK_SIZE + 1], bytes[STAGES_BLOCK_HEADER_SIZE + STAGES_BLOCK_SIZE];
    while (place < end) {
        size_t next = place + ring->block < ring->roomy ? place + ring->block : ring->roomy, left;
        if (next > end || place >= ring->roomy) next = end;
        size_t size = next - place, zero_count = zeros < size ? zeros : size;
        bytes[0] = size << 3, bytes[1] = size >> 5, bytes[2] = size >> 13;
        memset(bytes + STAGES_BLOCK_HEADER_SIZE, 0, zero_count);
        if (content) memcpy(bytes + STAGES_BLOCK_HEADER_SIZE + zero_count, content, size - zero_count);
        if (content) content += size - zero_count;
        zeros -= zero_count;
        if (stream(ring->context, bytes, STAGES_BLOCK_HEADER_SIZE + size, dropped, sizeof dropped, &left) < 0)
            fail("a raw block is refused", "");
        place = next;
    }
}

/// A batch that was executed, or several that were joined, and the state before it.
typedef struct {
    stages_batch *batch;
    stages_history before;
    uint64_t content;
} Executed;

/// The last batches that were executed, and the last before them with codes (`StagedFrame.keep`).
typedef struct {
    Executed recent[MOST_KEPT + 1];
    int count;
    stages_batch *codes;
} Kept;

static void keep_batch(Kept *kept, Executed executed, uint64_t produced) {
    Executed *last = kept->count > 0 ? &kept->recent[kept->count - 1] : NULL;
    if (last && last->content < STRAY_BYTES && stages_join(last->batch, executed.batch)) {
        last->content += executed.content;
        stages_free_batch(executed.batch);
    } else {
        kept->recent[kept->count++] = executed;
    }
    while (kept->count > 0 && produced - kept->recent[0].before.produced - kept->recent[0].content >= STRAY_BYTES) {
        stages_batch *first = kept->recent[0].batch;
        memmove(kept->recent, kept->recent + 1, --kept->count * sizeof *kept->recent);
        if (stages_has_codes(first)) {
            stages_free_batch(kept->codes);
            kept->codes = first;
        } else {
            stages_free_batch(first);
        }
    }
}

/// Decodes the rest of a frame by libzstd, from the batches that were kept.
static int64_t go_on(
    const ZSTD_frameHeader *header, const Kept *kept, const stages_batch *refused,
    uint64_t produced, const uint8_t *rest, const uint8_t *end, uint8_t *content) {
    static uint8_t dropped[MOST_CONTENT], blocks[2 * STAGES_RESTORING_SIZE], start[] = {0x28, 0xB5, 0x2F, 0xFD, 0, 0};
    const stages_batch *codes = kept->codes;
    const stages_history *history = &kept->recent[0].before;
    size_t left, count = stages_restore(kept->recent[0].batch, history, blocks);
    if (count == 0) fail("tables that were used are not restored", "");
    if (codes) count += stages_restore_codes(codes, blocks + count);
    ZSTD_DCtx *context = make_context();
    int exponent = 63 - __builtin_clzll(header->windowSize);
    start[4] = header->checksumFlag ? 4 : 0;
    start[5] = (exponent - 10) << 3 | (header->windowSize >> (exponent - 3) & 7);
    stream(context, start, sizeof start, dropped, sizeof dropped, &left);
    Ring ring = {context, history->ring - header->blockSizeMax, header->blockSizeMax};
    fill(&ring, 0, ring.roomy + 1, SIZE_MAX, NULL);
    int64_t restored = stream(context, blocks, count, dropped, sizeof dropped, &left);
    if (restored < 0) fail("what restores the tables is refused", "");
    fill(&ring, restored, ring.roomy + 1, SIZE_MAX, NULL);
    size_t known = history->produced < history->ring ? history->produced : history->ring, all = history->lap + history->place;
    if (known > all) known = all;
    size_t zeros = all - known;
    const uint8_t *past = content + history->produced - known;
    fill(&ring, 0, history->lap, zeros, past);
    size_t placed = history->lap > zeros ? history->lap - zeros : 0;
    fill(&ring, 0, history->place, zeros > history->lap ? zeros - history->lap : 0, past + placed);
    for (int i = 0; i < kept->count; i++) {
        const stages_batch *batch = kept->recent[i].batch;
        int64_t again = stream(context, batch->input, batch->filled, dropped, sizeof dropped, &left);
        if (again != (int64_t)kept->recent[i].content) fail("what was executed is refused", "");
    }
    size_t room = MOST_CONTENT - produced;
    uint8_t *to = content + produced;
    // The start of an incomplete block is in the batch, and the rest of it is not.
    size_t first = refused->filled, more = end - rest;
    uint8_t *bytes = malloc(first + more);
    memcpy(bytes, refused->input, first);
    memcpy(bytes + first, rest, more);
    int64_t taken = stream(context, bytes, first + more, to, room, &left);
    free(bytes);
    ZSTD_freeDCtx(context);
    return taken >= 0 && left == 0 ? (int64_t)produced + taken : -1;
}

/// Returns the bytes of content, or -1 if the frame is refused; -2 if the stages leave it, in whose place libzstd has
/// come then: `rest` is what it has made of it.
static int64_t decode_in_stages(const uint8_t *bytes, size_t size, uint8_t *content, int64_t *rest) {
    ZSTD_frameHeader header;
    if (ZSTD_getFrameHeader(&header, bytes, size) != 0 || header.frameType != ZSTD_frame || header.dictID != 0) return -1;
    // What libzstd refuses where nobody says otherwise (ZSTD_WINDOWLOG_LIMIT_DEFAULT).
    if (header.windowSize > 1 << 27) return -1;
    stages_finder finder = {.block_size = header.blockSizeMax};
    stages_history last_before, history = {.window = header.windowSize, .repeats = {1, 4, 8}, .block_size = header.blockSizeMax};
    history.ring = ZSTD_decodingBufferSize_min(header.windowSize, ZSTD_CONTENTSIZE_UNKNOWN);
    if (header.frameContentSize <= history.ring) history.ring = UINT64_MAX;
    // The batch before must still exist when one begins.
    stages_batch *batch = NULL, *last = NULL;
    Kept kept = {.count = 0};
    stages_tables *tables[2] = {stages_make_tables(), stages_make_tables()};
    const uint8_t *next = bytes + header.headerSize, *end = bytes + size;
    int64_t produced = -1;
    while (true) {
        batch = stages_make_batch();
        stages_begin_batch(batch, &finder);
        if (last) {
            keep_batch(&kept, (Executed){last, last_before, history.produced - last_before.produced}, history.produced);
            last = NULL;
        }
        while (!stages_is_full(batch) && next < end) {
            size_t piece = next_random() % 1000 + 1;
            if (piece > (size_t)(end - next)) piece = end - next;
            next += stages_fill_batch(batch, &finder, next, piece);
        }
        if (!stages_is_full(batch) || history.produced + STAGES_BATCH_SIZE > MOST_CONTENT) break;
        stages_history before = history;
        int64_t count = -1;
        if (!batch->is_refused && kept.count < MOST_KEPT && stages_decode_batch(batch, tables[next_random() % 2]))
            count = stages_execute_batch(batch, &history, content + history.produced);
        if (count < 0) {
            // As long as libzstd would have all content in its buffer, it decodes the frame again.
            *rest = before.lap == 0 ? decode_by_library(bytes, size, content)
                                    : go_on(&header, &kept, batch, before.produced, next, end, content);
            produced = -2;
            break;
        }
        last = batch;
        last_before = before;
        if (batch->has_last) {
            bool is_right = header.frameContentSize == ZSTD_CONTENTSIZE_UNKNOWN || header.frameContentSize == history.produced;
            if (is_right && end - next == (header.checksumFlag ? 4 : 0)) produced = history.produced;
            break;
        }
    }
    stages_free_batch(batch);
    stages_free_batch(kept.codes);
    for (int i = 0; i < kept.count; i++) stages_free_batch(kept.recent[i].batch);
    for (int i = 0; i < 2; i++) stages_free_tables(tables[i]);
    return produced;
}

static Frame read_frame(const char *name) {
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) fail("can't be read", name);
    Frame frame = {name, NULL, ftell(file)};
    rewind(file);
    frame.bytes = malloc(frame.size);
    if (fread(frame.bytes, 1, frame.size, file) != frame.size) fail("can't be read", name);
    fclose(file);
    return frame;
}

/// Fails, and leaves the frame in stages.found.
static void keep(const uint8_t *bytes, const Frame *frame, const char *reason) {
    FILE *file = fopen("stages.found", "wb");
    fwrite(bytes, 1, frame->size, file);
    fclose(file);
    fail(reason, frame->name);
}

int main(int count, char **words) {
    Frame frames[MOST_FRAMES];
    int frame_count = 0;
    time_t end = time(NULL) + atoi(words[1]);
    random_state = 0x9E3779B97F4A7C15 ^ strtoull(words[2], NULL, 10);
    uint8_t *ours = malloc(MOST_CONTENT + STAGES_SLACK), *theirs = malloc(MOST_CONTENT);
    for (int i = 3; i < count && frame_count < MOST_FRAMES; i++) {
        Frame frame = read_frame(words[i]);
        int64_t size = decode_by_library(frame.bytes, frame.size, theirs);
        if (size < 0) fail("no whole frame, or too large", frame.name);
        int64_t rest, ours_size = decode_in_stages(frame.bytes, frame.size, ours, &rest);
        if ((ours_size == -2 ? rest : ours_size) != size || memcmp(ours, theirs, size) != 0)
            fail("a sound frame is refused, or has another content", frame.name);
        frames[frame_count++] = frame;
    }
    unsigned long executions = 0, accepted = 0, doubts = 0, resumed = 0;
    while (time(NULL) < end) {
        Frame *frame = &frames[next_random() % frame_count];
        // A buffer of its own: what lies behind it is watched.
        uint8_t *bytes = malloc(frame->size);
        memcpy(bytes, frame->bytes, frame->size);
        for (uint64_t changes = next_random() % 4; changes < 4; changes++) {
            // Headers and descriptions stand at the start.
            size_t place = next_random() % (next_random() % 2 ? frame->size : frame->size < 300 ? frame->size : 300);
            bytes[place] ^= next_random() % 2 ? next_random() & 0xFF : UINT64_C(1) << next_random() % 8;
        }
        int64_t rest, size = decode_in_stages(bytes, frame->size, ours, &rest);
        int64_t other = decode_by_library(bytes, frame->size, theirs);
        if (size == -2) {
            // The size in the header is compared elsewhere.
            uint64_t stored = ZSTD_getFrameContentSize(bytes, frame->size);
            bool is_clear = rest < 0 || stored == ZSTD_CONTENTSIZE_UNKNOWN || stored == (uint64_t)rest;
            if (is_clear && rest != other) keep(bytes, frame, "refused or accepted behind a batch, and not as a whole");
            if (is_clear) size = rest;
            resumed += is_clear && rest >= 0;
        }
        if (size >= 0 && (size != other || memcmp(ours, theirs, size) != 0)) {
            keep(bytes, frame, "accepted, and libzstd makes something else of it");
        }
        executions++;
        accepted += size >= 0;
        doubts += size < 0 && other >= 0;
        free(bytes);
    }
    for (int i = 0; i < frame_count; i++) free(frames[i].bytes);
    free(ours);
    free(theirs);
    printf(
        "%lu frames, %lu accepted by both, %lu of them with libzstd's help, %lu by libzstd alone\n", executions, accepted,
        resumed, doubts);
}
