/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_load.h - simulate's options that change the load before the run. */
#ifndef WORKLOOM_CLI_SIMULATE_LOAD_H
#define WORKLOOM_CLI_SIMULATE_LOAD_H

#include "command.h"

extern const struct loom_param load_params[]; /* load, load-by */

/* Whether the load options fit each other. */
int check_load(const struct invocation *call, struct loom_error *err);
enum { MOST_LOADS = 1000 };

/* The loads that --load names, ascending; none if it was not given. */
struct load_list {
    double loads[MOST_LOADS];
    size_t n;
};
int read_loads(struct load_list *out, const struct invocation *call, struct loom_error *err);
/* The only one, or the least; 0 without --load. */
double one_load(const struct invocation *call);

/* Change the load to this. Where it is 0 only the machine is set: procs is that of --procs, or 0.
 */
int apply_load(struct loom_load_change *out, const struct invocation *call,
               struct loom_trace *trace, double load, struct loom_error *err);
/* A trace of the same jobs, for a change of load to leave the first as it is. */
int copy_jobs(struct loom_trace **out, const struct loom_trace *from, struct loom_error *err);
/* What was done, for people; nothing if nothing was. */
void say_load(const struct invocation *call, const struct loom_load_change *load);
/* What was done, as JSON. */
struct json_t *load_json(const struct loom_load_change *change);

#endif
