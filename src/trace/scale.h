/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale.h - the size of a job on a machine of another size. */
#ifndef LOOM_TRACE_SCALE_H
#define LOOM_TRACE_SCALE_H

#include <stdint.h>

/* Return the size, on a machine of `to` processors, of a job that has `procs` on one of `from`: the
 * same share, at least 1 and at most `to`. Serial jobs stay serial, powers of two stay powers of
 * two. */
int32_t loom_scale_size(int32_t procs, int32_t from, int32_t to);

#endif
