/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error.h - further ways to fill an error, for the library alone. */
#ifndef LOOM_BASE_ERROR_H
#define LOOM_BASE_ERROR_H

#include <workloom/base.h>

/* Fill err with the system's reason (errno_value) for failing at `doing` ("read", "open") with
 * file. Returns LOOM_ENOMEM for ENOMEM, else LOOM_EIO. */
int loom_fail_errno(struct loom_error *err, int errno_value, const char *doing, const char *file);

/* Fail with LOOM_EUSAGE because a caller passed NULL for `what`, such as "trace". */
int loom_fail_null(struct loom_error *err, const char *what);

/* Name the field at fault (static text) in an error just filled; err may be NULL. Returns code, so
 * that `return loom_blame(loom_fail_at(err, ...), "max_bytes", err);` has place and field. */
int loom_blame(int code, const char *field, struct loom_error *err);

#endif
