// Counts what the process allocates, in whatever library.
#pragma once

/// Calls of malloc and the like since the process began.
unsigned long allocationCount(void);

/// Bytes that they asked for.
unsigned long allocatedBytes(void);

/// Bytes that malloc has given out and not got back.
unsigned long allocatedBytesInUse(void);
