/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue.h - what the files of the command queue share. */
#ifndef WORKLOOM_CLI_QUEUE_H
#define WORKLOOM_CLI_QUEUE_H

#include "command.h"

extern const struct loom_param queue_model_params[], queue_run_params[], queue_fit_params[];

/* Make the study that the options of mixed or reopen describe; trials are yet to run. The caller
 * must free it. */
int take_study(struct loom_queueing_study *out, const struct invocation *call, bool mixed,
               struct loom_error *err);

/* Check where output goes, before the work starts. */
int check_queue_outputs(const struct invocation *call, struct loom_error *err);
/* Write files and print results. */
int report_study(const struct invocation *call, const struct loom_queueing_study *study,
                 struct loom_pool *pool, struct loom_error *err);

/* queue fit TRACE. */
int fit_queue(const struct invocation *call, struct loom_error *err);

#endif
