/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start_log.h - an observer that records why each job of a run was started. */
#ifndef LOOM_SIM_RESULTS_START_LOG_H
#define LOOM_SIM_RESULTS_START_LOG_H

#include <workloom/sim.h>

struct loom_start_log;

/* Create a log for one run in *out. The caller must destroy it. Fails with LOOM_ENOMEM. */
int loom_start_log_create(struct loom_start_log **out, struct loom_error *err);
/* Destroy a log; NULL is allowed. */
void loom_start_log_destroy(struct loom_start_log *log);
/* Return the observer to put into the options of the run. The log must outlive the run. */
struct loom_observer loom_start_log_observer(struct loom_start_log *log);
/* Return why a job was started; LOOM_WHY_OTHER if it was not. */
enum loom_why loom_start_log_why(const struct loom_start_log *log, uint32_t job);

#endif
