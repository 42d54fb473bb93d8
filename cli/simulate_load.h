/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_load.h - simulate's options that change the load before the run. */
#ifndef WORKLOOM_CLI_SIMULATE_LOAD_H
#define WORKLOOM_CLI_SIMULATE_LOAD_H

#include "command.h"

extern const struct loom_param load_params[]; /* load, load-by */

/* Whether the load options fit each other. */
int check_load(const struct invocation *call, struct loom_error *err);
/* Change the load as asked. Without --load only the machine is set: procs is that of --procs, or 0.
 */
int apply_load(struct loom_load_change *out, const struct invocation *call,
               struct loom_trace *trace, struct loom_error *err);
/* What was done, as JSON. */
struct json_t *load_json(const struct loom_load_change *change);

#endif
