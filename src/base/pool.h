/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - tasks whose results are used in order. */
#ifndef LOOM_BASE_POOL_H
#define LOOM_BASE_POOL_H

#include <workloom/base.h>

/* Run tasks as loom_pool_for, then emit(context, index, ...) for each finished task, one at a time
 * and in order of index. At most `window` tasks are made but not yet emitted, so tasks may use slot
 * index % window for their results. LOOM_EUSAGE if window is 0. */
int loom_pool_ordered(struct loom_pool *pool, size_t n, size_t window, loom_task_fn *task,
                      loom_task_fn *emit, void *context, struct loom_error *err);

#endif
