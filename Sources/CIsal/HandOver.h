#ifndef HANDOVER_H
#define HANDOVER_H

#include "CIsal.h"
#include "IsalState.h"

// Describes the place of data that has begun. Returns false if it can't be described.
bool describe(const struct isal_inflate_state *state, struct sluice_handover *handover);

#endif
