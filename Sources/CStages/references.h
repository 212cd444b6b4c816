// Offsets that entropy does not know (CStages.h): which of the three repeated ones, in the bits from 28, and what is to
// be taken off, from REFERENCE_ZERO down. Other offsets are less than two thirds of them.
enum { REFERENCE_ZERO = 1 << 27 };
#define REFERENCES UINT32_C(0xC0000000)
