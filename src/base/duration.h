/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duration.h - the unit in which a length of time is best read. */
#ifndef LOOM_BASE_DURATION_H
#define LOOM_BASE_DURATION_H

/* The largest of d, h, min and s of which it has at least two, or s; *length is how many. */
const char *loom_duration_unit(double seconds, double *length);

#endif
