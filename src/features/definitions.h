/* SPDX-License-Identifier: GPL-3.0-or-later */
/* definitions.h - completed and checked definitions of features. */
#ifndef LOOM_FEATURES_DEFINITIONS_H
#define LOOM_FEATURES_DEFINITIONS_H

#include <workloom/features.h>

/* Store definitions with the dictionary's values in place of zeros; given may be NULL. Fails with
 * LOOM_ERANGE for a value that no feature can be measured at, and names its field. */
int loom_definitions_fill(struct loom_definitions *out, const struct loom_definitions *given,
                          struct loom_error *err);

#endif
