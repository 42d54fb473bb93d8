/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store.h - measured claims in an SQLite database, so that a reproduction continues where it ended.
 *
 *   claims(hash TEXT PRIMARY KEY, item, what, value REAL, low REAL, high REAL, n, seconds)
 *
 * hash is over the claim, the content of its log, the number of replications, the seed and the
 * program (identity.h). low and high are NULL without an interval.
 */
#ifndef LOOM_REPRODUCE_STORE_H
#define LOOM_REPRODUCE_STORE_H

#include "reproduce/item.h"

struct loom_claim_store;

/* Open a database, or create it. The caller must close it. LOOM_EIO if it cannot be opened,
 * LOOM_EDATA if it is another kind of file or database. */
int loom_claim_store_open(struct loom_claim_store **out, const char *path, struct loom_error *err);
void loom_claim_store_close(struct loom_claim_store *store);

/* Find a claim; *found is false if it is not there. */
int loom_claim_store_find(struct loom_measured *out, bool *found, struct loom_claim_store *store,
                          uint64_t hash, struct loom_error *err);
/* Store how many seconds a claim took to measure; 0 if it is not there. */
int loom_claim_store_seconds(double *out, struct loom_claim_store *store, uint64_t hash,
                             struct loom_error *err);
int loom_claim_store_add(struct loom_claim_store *store, uint64_t hash, const char *item,
                         const char *what, const struct loom_measured *measured, double seconds,
                         struct loom_error *err);

#endif
