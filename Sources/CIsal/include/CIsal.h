// Deflate data (RFC 1951) by ISA-L, which is loaded when the first gzip member comes: other runs do not pay for it.
#ifndef CISAL_H
#define CISAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loads the library. Returns whether it is there.
bool sluice_isal_load(void);

// The version in the name of the file that was loaded, such as "2.0.30"; empty if that is unknown.
const char *sluice_isal_version(void);

// A decoder of the deflate data of one gzip member after another. One thread at a time may use it.
struct sluice_inflater;

// NULL if memory runs out.
struct sluice_inflater *sluice_inflater_create(void);
void sluice_inflater_destroy(struct sluice_inflater *inflater);

// The bytes of memory that it takes.
size_t sluice_inflater_size(void);

// Begins with new data.
void sluice_inflater_begin(struct sluice_inflater *inflater);

enum sluice_inflated { SLUICE_INFLATES, SLUICE_INFLATED, SLUICE_INFLATE_REFUSES };

struct sluice_inflating {
    const uint8_t *input;
    size_t input_count;
    uint8_t *output;
    size_t output_count;
    // On return, the bytes taken. At the end of the data, what was taken of the bytes after it, now or before, is given
    // back: then it may be negative.
    ptrdiff_t taken;
    size_t written;
};

// Decodes until the input is taken, the output is full, or the data ends. If the library refuses the data, nothing is
// said of what was written.
enum sluice_inflated sluice_inflate(struct sluice_inflater *inflater, struct sluice_inflating *work);

// The CRC-32 of the content that was written.
uint32_t sluice_inflater_checksum(const struct sluice_inflater *inflater);

// What another decoder needs to go on in the middle of the data.
struct sluice_handover {
    // Content that is decoded, and not written yet.
    const uint8_t *pending;
    size_t pending_count;
    // The content before the place, with what is pending: at most 32 KiB.
    const uint8_t *window;
    size_t window_count;
    // Deflate data that comes before the next input: a header for the code of the current block, if there is one, and
    // what was taken of the input. First fewer than eight bits, and then bytes.
    uint8_t first_bits;
    int first_bit_count;
    uint8_t bytes[1024];
    size_t byte_count;
    uint32_t checksum;
};

// Describes the place where the data was before the last call, or where it is now.
//
// Returns false if the place can't be described.
bool sluice_inflater_hand_over(const struct sluice_inflater *inflater, bool before, struct sluice_handover *handover);

#endif
