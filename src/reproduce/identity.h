/* SPDX-License-Identifier: GPL-3.0-or-later */
/* identity.h - hashes under which numbers are stored, over all that they depend on. */
#ifndef LOOM_REPRODUCE_IDENTITY_H
#define LOOM_REPRODUCE_IDENTITY_H

#include "reproduce/bench.h"

#include <stdint.h>

/* Compute the hash of the file that this code runs from, the program or the library; of the version
 * where the system does not name that file. LOOM_EIO if it cannot be read. */
int loom_program_hash(uint64_t *out, struct loom_error *err);

/* Return a number that stands for a measure in all runs of the program, LOOM_NO_MEASURE for one
 * that has none yet. */
#define LOOM_NO_MEASURE SIZE_MAX
size_t loom_measure_number(loom_measure_fn *measure);
/* Compute the hash of a claim of an item: what it measures and how, its trial with words and local
 * models, the content of the log at `path` (NULL: none), the number of replications, the seed and
 * the program. LOOM_EIO if the log cannot be read, LOOM_EUSAGE if its measure has no number. */
int loom_claim_identity(uint64_t *out, const struct loom_bench *bench, const char *item,
                        const struct loom_claim *claim, const char *path, int replications,
                        struct loom_error *err);

#endif
