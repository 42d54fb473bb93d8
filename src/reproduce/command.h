/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - how a reader makes the number of a claim again, alone. */
#ifndef LOOM_REPRODUCE_COMMAND_H
#define LOOM_REPRODUCE_COMMAND_H

#include "reproduce/item.h"

#include <stddef.h>

/* Write the command line that measures a claim on a file (NULL: none) with so many replications.
 * Returns buf; "" if the measure has no command of its own. */
const char *loom_claim_command(char *buf, size_t size, const struct loom_claim *claim,
                               const char *file, int replications);

#endif
