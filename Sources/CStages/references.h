// References: offsets that are unknown to the first stage (CStages.h). Bits 28 and 29 select one of the three repeated
// offsets. The bits below are REFERENCE_ZERO minus the number to subtract from it. Other offsets are at most INT32_MAX.
enum { REFERENCE_ZERO = 1 << 27 };
#define REFERENCES UINT32_C(0xC0000000)
