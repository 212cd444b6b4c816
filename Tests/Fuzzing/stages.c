// Compares the two stages of CStages with libzstd, on frames in which a few bytes were changed.
//
//   stages SECONDS SEED FRAME...
//
// What the stages accept libzstd has to accept, with the same content; frames that were not changed they have to
// accept.
// Built with Address Sanitizer, by `scripts/campaign stages`.
#include <CStages.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

enum { MOST_CONTENT = 4 << 20, MOST_FRAMES = 256 };

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

/// Returns the bytes of content, or -1 if the frame is refused.
static int64_t decode_in_stages(const uint8_t *bytes, size_t size, uint8_t *content) {
    ZSTD_frameHeader header;
    if (ZSTD_getFrameHeader(&header, bytes, size) != 0 || header.frameType != ZSTD_frame || header.dictID != 0) return -1;
    // What libzstd refuses where nobody says otherwise (ZSTD_WINDOWLOG_LIMIT_DEFAULT).
    if (header.windowSize > 1 << 27) return -1;
    stages_finder finder = {.block_size = header.blockSizeMax};
    stages_history history = {.window = header.windowSize, .repeats = {1, 4, 8}};
    stages_batch *batches[2] = {stages_make_batch(), stages_make_batch()};
    stages_tables *tables[2] = {stages_make_tables(), stages_make_tables()};
    const uint8_t *next = bytes + header.headerSize, *end = bytes + size;
    int64_t produced = -1;
    for (int turn = 0;; turn++) {
        // One batch is behind the other, as where threads take them.
        stages_batch *batch = batches[turn % 2];
        stages_begin_batch(batch, &finder);
        while (!stages_is_full(batch) && next < end) {
            size_t piece = next_random() % 1000 + 1;
            if (piece > (size_t)(end - next)) piece = end - next;
            next += stages_fill_batch(batch, &finder, next, piece);
        }
        if (batch->is_refused) break;
        if (!stages_is_full(batch)) break;
        if (!stages_decode_batch(batch, tables[next_random() % 2])) break;
        if (history.produced + STAGES_BATCH_SIZE > MOST_CONTENT) break;
        int64_t count = stages_execute_batch(batch, &history, content + history.produced);
        if (count < 0) break;
        if (batch->has_last) {
            bool is_right = header.frameContentSize == ZSTD_CONTENTSIZE_UNKNOWN || header.frameContentSize == history.produced;
            if (is_right && end - next == (header.checksumFlag ? 4 : 0)) produced = history.produced;
            break;
        }
    }
    for (int i = 0; i < 2; i++) {
        stages_free_batch(batches[i]);
        stages_free_tables(tables[i]);
    }
    return produced;
}

/// The same by libzstd, in pieces, without the checksum: changed bytes would hide behind it.
static int64_t decode_by_library(ZSTD_DCtx *context, const uint8_t *bytes, size_t size, uint8_t *content) {
    ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
    ZSTD_inBuffer input = {bytes, size, 0};
    int64_t produced = 0;
    while (true) {
        uint8_t piece[64 << 10];
        ZSTD_outBuffer output = {piece, sizeof piece, 0};
        size_t left = ZSTD_decompressStream(context, &output, &input);
        if (ZSTD_isError(left) || produced + output.pos > MOST_CONTENT) return -1;
        memcpy(content + produced, piece, output.pos);
        produced += output.pos;
        if (left == 0) return input.pos == size ? produced : -1;
        if (input.pos == size && output.pos < sizeof piece) return -1;
    }
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

int main(int count, char **words) {
    Frame frames[MOST_FRAMES];
    int frame_count = 0;
    time_t end = time(NULL) + atoi(words[1]);
    random_state = 0x9E3779B97F4A7C15 ^ strtoull(words[2], NULL, 10);
    ZSTD_DCtx *context = ZSTD_createDCtx();
    ZSTD_DCtx_setParameter(context, ZSTD_d_forceIgnoreChecksum, 1);
    uint8_t *ours = malloc(MOST_CONTENT + STAGES_SLACK), *theirs = malloc(MOST_CONTENT);
    for (int i = 3; i < count && frame_count < MOST_FRAMES; i++) {
        Frame frame = read_frame(words[i]);
        int64_t size = decode_by_library(context, frame.bytes, frame.size, theirs);
        if (size < 0) fail("no whole frame, or too large", frame.name);
        if (decode_in_stages(frame.bytes, frame.size, ours) != size || memcmp(ours, theirs, size) != 0)
            fail("a sound frame is refused, or has another content", frame.name);
        frames[frame_count++] = frame;
    }
    unsigned long executions = 0, accepted = 0, doubts = 0;
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
        int64_t size = decode_in_stages(bytes, frame->size, ours), other = decode_by_library(context, bytes, frame->size, theirs);
        if (size >= 0 && (size != other || memcmp(ours, theirs, size) != 0)) {
            FILE *file = fopen("stages.found", "wb");
            fwrite(bytes, 1, frame->size, file);
            fclose(file);
            fail("accepted, and libzstd makes something else of it (stages.found)", frame->name);
        }
        executions++;
        accepted += size >= 0;
        doubts += size < 0 && other >= 0;
        free(bytes);
    }
    for (int i = 0; i < frame_count; i++) free(frames[i].bytes);
    ZSTD_freeDCtx(context);
    free(ours);
    free(theirs);
    printf("%lu frames, %lu accepted by both, %lu by libzstd alone\n", executions, accepted, doubts);
}
