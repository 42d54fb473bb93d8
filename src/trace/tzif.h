/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tzif.h - one zone of the system's time zone database: what to add to Unix time to get local time.
 *
 * Files are in TZif format (RFC 8536, versions 1 and up) below the directory that the environment's
 * TZDIR names, or /usr/share/zoneinfo. They are read as untrusted data, without tzset() or any
 * other state of the C library. Leap second records are left out of account, as Unix time has none.
 */
#ifndef LOOM_TRACE_TZIF_H
#define LOOM_TRACE_TZIF_H

#include <workloom/base.h>

struct loom_tzif;

/* Read a zone by its name, such as "Europe/Stockholm". LOOM_EUSAGE: what was given is no zone name
 * (it would leave the directory); LOOM_EIO: there is no such zone; LOOM_EFORMAT: its file is
 * damaged. */
int loom_tzif_read(struct loom_tzif **out, const char *name, struct loom_error *err);
/* Take the bytes of a TZif file. */
int loom_tzif_parse(struct loom_tzif **out, const void *data, size_t size, struct loom_error *err);
void loom_tzif_destroy(struct loom_tzif *tzif);

/* Seconds east of UTC at a Unix time. */
int32_t loom_tzif_offset(const struct loom_tzif *tzif, int64_t unix_s);
/* The Unix time of a local time. What the clock shows twice, or leaps over, at a change is read by
 * the offset in force before the change. */
int64_t loom_tzif_unix(const struct loom_tzif *tzif, int64_t local_s);

#endif
