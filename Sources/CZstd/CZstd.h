// The stable API of libzstd only: ZSTD_STATIC_LINKING_ONLY must never be defined here.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>
// But for the trainers of dictionaries that take parameters, which have been the same since 1.4.1 and are not in it.
#define ZDICT_STATIC_LINKING_ONLY
#include <zdict.h>

// And but for three functions that tell what the stable ones do, the same since 1.4.0, if the libzstd that runs has
// them. `ZSTD_compressionParameters`, which the stable interface leaves out: window log, chain log, hash log, search
// log, shortest match, target length and strategy.
typedef struct {
    unsigned numbers[7];
} sluice_parameters;

extern sluice_parameters sluice_get_parameters(int, unsigned long long, size_t) __asm__("ZSTD_getCParams")
    __attribute__((weak));
extern size_t sluice_estimate_memory(sluice_parameters) __asm__("ZSTD_estimateCCtxSize_usingCParams")
    __attribute__((weak));

/// The parameters of a level, for content of so many bytes, 0 if that is not known; false if this libzstd can't tell.
static inline bool sluice_parameters_of_level(
    int level, unsigned long long content_size, size_t dictionary_size, unsigned numbers[7]) {
    if (!sluice_get_parameters) return false;
    sluice_parameters found = sluice_get_parameters(level, content_size, dictionary_size);
    memcpy(numbers, found.numbers, sizeof found.numbers);
    return true;
}

/// Bytes that a context takes with these parameters, 0 if this libzstd can't tell.
static inline size_t sluice_memory_of_context(const unsigned numbers[7]) {
    sluice_parameters parameters;
    memcpy(parameters.numbers, numbers, sizeof parameters.numbers);
    return sluice_estimate_memory ? sluice_estimate_memory(parameters) : 0;
}

extern size_t sluice_decoding_buffer_size(unsigned long long, unsigned long long)
    __asm__("ZSTD_decodingBufferSize_min") __attribute__((weak));

/// Bytes of the buffer in which frames with this window, and more content than that, are streamed; 0 if this libzstd
/// can't tell.
static inline size_t sluice_size_of_ring(unsigned long long window) {
    size_t size = sluice_decoding_buffer_size ? sluice_decoding_buffer_size(window, UINT64_MAX) : 0;
    return ZSTD_isError(size) ? 0 : size;
}
