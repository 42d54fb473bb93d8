/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv/times.h - timestamps as data frames and databases write them. */
#ifndef LOOM_TRACE_FORMATS_CSV_TIMES_H
#define LOOM_TRACE_FORMATS_CSV_TIMES_H

#include "trace/number.h"

#include <stdbool.h>

/* Read YYYY-MM-DD[T ]HH:MM:SS[.fraction][zone] as Unix time; *zoned is whether it has a zone,
 * without which it counts as UTC. */
enum loom_number loom_csv_timestamp(int64_t *out, bool *zoned, const char *text, size_t length);

#endif
