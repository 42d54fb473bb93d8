/* SPDX-License-Identifier: GPL-3.0-or-later */
/* level.h - checks of confidence levels and other shares. */
#ifndef LOOM_STATS_LEVEL_H
#define LOOM_STATS_LEVEL_H

#include <workloom/base.h>

/* Replace *share by its default if it is 0. LOOM_ERANGE unless it is in (0, 1) then. */
int loom_share_default(double *share, double otherwise, const char *what, struct loom_error *err);

/* The same for a confidence level, which is 0.95 by default. */
int loom_level_default(double *level, struct loom_error *err);

#endif
