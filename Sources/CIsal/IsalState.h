// The state of ISA-L's inflate, as its igzip_lib.h lays it out since version 2.21 (Copyright (c) 2011-2018 Intel
// Corporation; BSD-3-Clause). Debian's package for programs has no header. A library with another layout is not used:
// `IsalLibrary` tries what it loads.
#ifndef ISAL_STATE_H
#define ISAL_STATE_H

#include <stdint.h>

enum { ISAL_NEW_HEADER, ISAL_HEADER, ISAL_STORED, ISAL_CODED, ISAL_INPUT_DONE, ISAL_FINISHED };

enum {
    // The values of `crc_flag` by which `crc` becomes gzip's checksum, and no header or trailer is expected.
    ISAL_CHECKSUM_ONLY = 2,
    ISAL_WINDOW_SIZE = 32 << 10,
    ISAL_SHORT_LENGTH_BITS = 12,
    ISAL_SHORT_DISTANCE_BITS = 10,
};

struct isal_inflate_state {
    uint8_t *next_out;
    uint32_t avail_out;
    uint32_t total_out;
    uint8_t *next_in;
    // Bits that were taken from the input, and not decoded yet. Above them, it may have others.
    uint64_t read_in;
    uint32_t avail_in;
    int32_t read_in_length;
    struct {
        uint32_t short_codes[1 << ISAL_SHORT_LENGTH_BITS];
        uint16_t long_codes[1264];
    } lengths;
    struct {
        uint16_t short_codes[1 << ISAL_SHORT_DISTANCE_BITS];
        uint16_t long_codes[80];
    } distances;
    uint32_t block_state;
    uint32_t dict_length;
    uint32_t bfinal;
    uint32_t crc_flag;
    uint32_t crc;
    uint32_t hist_bits;
    // The bytes of a stored block that are still to come.
    int32_t stored_length;
    int32_t write_overflow_lits;
    int32_t write_overflow_len;
    int32_t copy_overflow_length;
    int32_t copy_overflow_distance;
    int16_t wrapper_flag;
    int16_t tmp_in_size;
    int32_t tmp_out_valid;
    int32_t tmp_out_processed;
    // The start of a block's header that has not come as a whole.
    uint8_t tmp_in_buffer[328];
    // The last content, of which the bytes from `tmp_out_processed` to `tmp_out_valid` are not handed out yet.
    uint8_t tmp_out_buffer[2 * ISAL_WINDOW_SIZE + 288];
};

#endif
