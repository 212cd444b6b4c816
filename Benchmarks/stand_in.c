// Stands in for libzstd, to rehearse hundreds of workers on a few cores: loaded before it, it sleeps for as long as
// compressing or decompressing would take, and computes next to nothing.
//
// Its frames are valid: a sixth of the content is stored in raw blocks, and each other block is one byte, repeated. So
// what is decompressed is not what was compressed, but always the same.
//
//   cc -O2 -shared -fPIC stand_in.c -o stand_in.so
//   STAND_IN_MICROSECONDS=20000 LD_PRELOAD=./stand_in.so sluice -T64 -B1M --no-check FILE
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { block_size = ZSTD_BLOCKSIZE_MAX, blocks_for_each_raw = 6 };

static void sleep_as_long(void) {
    const char *word = getenv("STAND_IN_MICROSECONDS");
    long microseconds = word ? atol(word) : 0;
    struct timespec rest = {microseconds / 1000000, microseconds % 1000000 * 1000};
    while (microseconds > 0 && nanosleep(&rest, &rest) != 0 && errno == EINTR) {}
}

static uint8_t *put(uint8_t *to, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) *to++ = (uint8_t)(number >> 8 * i);
    return to;
}

size_t ZSTD_compress2(ZSTD_CCtx *context, void *frame, size_t room, const void *content, size_t size) {
    (void)context;
    if (room < ZSTD_compressBound(size)) return (size_t)-ZSTD_error_dstSize_tooSmall;
    sleep_as_long();
    // A single segment, whose content size has 8 bytes.
    uint8_t *end = put(put(put(frame, ZSTD_MAGICNUMBER, 4), 0xE0, 1), size, 8);
    const uint8_t *rest = content;
    size_t left = size;
    for (int index = 0; left > 0 || index == 0; index++) {
        size_t length = left < block_size ? left : block_size;
        int is_last = length == left, is_raw = index % blocks_for_each_raw == 0;
        end = put(end, length << 3 | (is_raw ? 0 : 2) | is_last, 3);
        memcpy(end, rest, is_raw ? length : 1);
        end += is_raw ? length : 1;
        rest += length;
        left -= length;
    }
    return end - (uint8_t *)frame;
}

size_t ZSTD_decompressDCtx(ZSTD_DCtx *context, void *content, size_t room, const void *frame, size_t size) {
    static size_t (*decompress)(ZSTD_DCtx *, void *, size_t, const void *, size_t);
    if (!decompress) decompress = (__typeof__(decompress))dlsym(RTLD_NEXT, "ZSTD_decompressDCtx");
    sleep_as_long();
    return decompress(context, content, room, frame, size);
}
