/* SPDX-License-Identifier: GPL-3.0-or-later */
/* human.h - numbers and lengths of time for people: three digits, a unit, groups of thousands. */
#ifndef LOOM_BASE_HUMAN_H
#define LOOM_BASE_HUMAN_H

/* Return the unit (s, min, h, days) in which a length of time is best read: the largest of which it
 * has at least two when rounded to three digits, or s. *length is the time in that unit. */
const char *loom_duration_unit(double seconds, double *length);

#endif
