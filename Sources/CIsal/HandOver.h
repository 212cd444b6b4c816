#ifndef HANDOVER_H
#define HANDOVER_H

#include "CIsal.h"
#include "IsalState.h"

// Whether the numbers that say where the data is are those of a place.
bool has_place(const struct isal_inflate_state *state);

// Describes the place of data that has begun. Returns false if it can't be described.
bool describe(const struct isal_inflate_state *state, struct sluice_handover *handover);

#endif
