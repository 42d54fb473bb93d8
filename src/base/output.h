/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.h - what a set of outputs asks of each. */
#ifndef LOOM_BASE_OUTPUT_H
#define LOOM_BASE_OUTPUT_H

#include <workloom/base.h>

/* Will both be renamed to the same name in the same directory? */
bool loom_output_same_file(const struct loom_output *a, const struct loom_output *b);

#endif
