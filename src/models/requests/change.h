/* SPDX-License-Identifier: GPL-3.0-or-later */
/* requests/change.h - requested times made from runtimes, for models and traces. */
#ifndef LOOM_MODELS_REQUESTS_CHANGE_H
#define LOOM_MODELS_REQUESTS_CHANGE_H

#include <workloom/models.h>

/* Set the requested time of each job with a known runtime to the runtime times a factor: 1 (exact),
 * change->factor, or a draw from U[1, 1 + change->factor] (uniform). Results are whole seconds, at
 * least 1. rows: n indices in order of submission, or NULL for 0 .. n - 1. Uniform draws a number
 * for each of them, whether or not its runtime is known. */
void loom_requests_scale(int64_t *request_s, const int64_t *run_s, const uint32_t *rows, size_t n,
                         const struct loom_request_change *change);

/* Fail with LOOM_EUSAGE if this kind is not for `of`, or the factor is out of range. */
int loom_estimates_check(enum loom_request_rule rule, double factor, enum loom_requests_of of,
                         struct loom_error *err);

#endif
