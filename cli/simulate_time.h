/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_time.h - the part of simulate's results that is told over time: rates and queue. */
#ifndef WORKLOOM_CLI_SIMULATE_TIME_H
#define WORKLOOM_CLI_SIMULATE_TIME_H

#include "command.h"

/* Rows of the table of results: how long the queue was, and the rates of the measured window where
 * that is not the whole run. */
int add_time_rows(struct loom_table *table, const struct loom_sim_rates *rates, bool trimmed,
                  struct loom_error *err);
/* "window", "queue_length" and "over_time" as an object; NULL when memory is out. */
struct json_t *time_json(const struct loom_sim *sim, const struct loom_sim_rates *rates);

#endif
