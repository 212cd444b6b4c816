// CRC-32C, whole and rolling. The rolling one works on the register without the usual complements, which is linear:
// what a byte has left there after a window can be taken away again.

#define _GNU_SOURCE
#include "CParity.h"

#include <pthread.h>
#include <string.h>

enum { POLYNOMIAL = 0x82F63B78 };

static uint32_t table[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte;
        for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ (value & 1 ? (uint32_t)POLYNOMIAL : 0);
        table[byte] = value;
    }
}

static uint32_t register_after(uint32_t value, const uint8_t *data, size_t count) {
    for (size_t i = 0; i < count; i++) value = value >> 8 ^ table[(uint8_t)value ^ data[i]];
    return value;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2")))
static uint32_t register_after_fast(uint32_t value, const uint8_t *data, size_t count) {
    uint64_t wide = value;
    for (; count >= 8; data += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, data, 8);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    value = (uint32_t)wide;
    for (; count > 0; data++, count--) value = __builtin_ia32_crc32qi(value, *data);
    return value;
}

static uint32_t advance(uint32_t value, const uint8_t *data, size_t count) {
    return __builtin_cpu_supports("sse4.2") ? register_after_fast(value, data, count)
                                            : register_after(value, data, count);
}
#else
static uint32_t advance(uint32_t value, const uint8_t *data, size_t count) {
    return register_after(value, data, count);
}
#endif

uint32_t sluice_parity_crc32c(uint32_t before, const uint8_t *data, size_t count) {
    pthread_once(&once, fill_table);
    return ~advance(~before, data, count);
}

static uint32_t after_zeros(uint32_t value, size_t count) {
    static const uint8_t zeros[4096];
    for (; count > sizeof zeros; count -= sizeof zeros) value = advance(value, zeros, sizeof zeros);
    return advance(value, zeros, count);
}

void sluice_rolling_crc_begin(struct sluice_rolling_crc *rolling, size_t window) {
    pthread_once(&once, fill_table);
    rolling->window = window;
    rolling->value = 0;
    rolling->zeros = ~after_zeros(~0u, window);
    memcpy(rolling->in, table, sizeof table);
    rolling->out[0] = 0;
    for (int bit = 0; bit < 8; bit++) {
        uint8_t byte = (uint8_t)(1 << bit);
        uint32_t rest = after_zeros(register_after(0, &byte, 1), window);
        for (int other = 0; other < 1 << bit; other++) rolling->out[byte | other] = rolling->out[other] ^ rest;
    }
}

void sluice_rolling_crc_fill(struct sluice_rolling_crc *rolling, const uint8_t *data) {
    rolling->value = advance(0, data, rolling->window) ^ rolling->zeros;
}

size_t sluice_rolling_crc_find(
    struct sluice_rolling_crc *rolling, const uint8_t *data, size_t position, size_t count,
    const uint64_t filter[16384]) {
    uint32_t value = rolling->value ^ rolling->zeros, zeros = rolling->zeros;
    size_t window = rolling->window;
    while (++position < count) {
        value = value >> 8 ^ rolling->in[(uint8_t)value ^ data[position + window - 1]] ^ rolling->out[data[position - 1]];
        uint32_t low = (value ^ zeros) & 0xFFFFF;
        if (filter[low >> 6] >> (low & 63) & 1) break;
    }
    rolling->value = value ^ zeros;
    return position;
}

size_t sluice_find_last(const uint8_t *data, size_t count, size_t end, const uint8_t tag[8]) {
    if (count < 8) return count;
    if (end > count - 7) end = count - 7;
    while (end > 0) {
        // Only the rarest byte of a tag is looked for.
        const uint8_t *found = memrchr(data, tag[0], end);
        if (found == NULL) return count;
        end = (size_t)(found - data);
        if (memcmp(found, tag, 8) == 0) return end;
    }
    return count;
}
