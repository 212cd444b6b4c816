// Where ISA-L's header is installed, the state of its inflate is laid out as CIsal says.
#if __has_include(<isa-l/igzip_lib.h>)

#include "../../Sources/CIsal/IsalState.h"

#include <isa-l/igzip_lib.h>
#include <stddef.h>

#define SAME(ours, theirs) \
    _Static_assert(offsetof(struct isal_inflate_state, ours) == offsetof(struct inflate_state, theirs) \
        && sizeof ((struct isal_inflate_state *)0)->ours == sizeof ((struct inflate_state *)0)->theirs, #theirs)

_Static_assert(sizeof(struct isal_inflate_state) == sizeof(struct inflate_state), "the size of the state");
SAME(next_out, next_out);
SAME(avail_out, avail_out);
SAME(total_out, total_out);
SAME(next_in, next_in);
SAME(read_in, read_in);
SAME(avail_in, avail_in);
SAME(read_in_length, read_in_length);
SAME(lengths, lit_huff_code);
SAME(lengths.long_codes, lit_huff_code.long_code_lookup);
SAME(distances, dist_huff_code);
SAME(distances.long_codes, dist_huff_code.long_code_lookup);
SAME(block_state, block_state);
SAME(bfinal, bfinal);
SAME(crc_flag, crc_flag);
SAME(crc, crc);
SAME(stored_length, type0_block_len);
SAME(tmp_in_size, tmp_in_size);
SAME(tmp_out_valid, tmp_out_valid);
SAME(tmp_out_processed, tmp_out_processed);
SAME(tmp_in_buffer, tmp_in_buffer);
SAME(tmp_out_buffer, tmp_out_buffer);
_Static_assert(ISAL_BLOCK_NEW_HDR == (int)ISAL_NEW_HEADER && ISAL_BLOCK_HDR == (int)ISAL_HEADER, "a header's states");
_Static_assert(ISAL_BLOCK_TYPE0 == (int)ISAL_STORED && ISAL_BLOCK_CODED == (int)ISAL_CODED, "a block's states");
_Static_assert(ISAL_BLOCK_INPUT_DONE == (int)ISAL_INPUT_DONE && ISAL_BLOCK_FINISH == (int)ISAL_FINISHED, "the end's");
_Static_assert(ISAL_GZIP_NO_HDR == (int)ISAL_CHECKSUM_ONLY, "the flag for checksums");

#endif
