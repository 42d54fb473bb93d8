/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - a replay as tables and sentences, for the page and for the command. */
#ifndef LOOM_REPORT_REPLAY_H
#define LOOM_REPORT_REPLAY_H

#include "base/table.h"

#include <workloom/experiment_replay.h>

/* Write the assumptions of a run to buf: "downtime, user-procs 16"; "" if there are none. Returns
 * buf. */
const char *loom_replay_assumed(const struct loom_replay_run *run, char *buf, size_t size);
/* Create the table of runs in *out; of searched ones only the best. The caller must destroy it. */
int loom_replay_runs_table(struct loom_table **out, const struct loom_replay_report *replay,
                           struct loom_error *err);
/* Create a table of what its words mean in *out. The caller must destroy it. */
int loom_replay_legend(struct loom_table **out, const struct loom_replay_report *replay,
                       struct loom_error *err);
/* Create the table of a kind of classes in *out. The caller must destroy it. */
int loom_replay_classes_table(struct loom_table **out, const struct loom_replay_classes *classes,
                              const struct loom_trace *trace, struct loom_error *err);

/* Report what should be known, sentence by sentence: how far the first run is from the log, what
 * explains it best, what stays unexplained, what is odd about the log. */
typedef void loom_replay_say_fn(void *context, const char *sentence);
void loom_replay_conclusions(const struct loom_replay_report *replay, loom_replay_say_fn *say,
                             void *context);
/* Return a sentence on a log of resampled jobs, whose waits no simulation can be compared with; ""
 * for other logs. */
const char *loom_replay_resampled(const struct loom_trace *trace);
/* Write in one sentence how far a replay of a log is from it under a policy, the nearest of those
 * tried, for those who read levels of a simulation; "" if no job was compared. Returns buf. */
const char *loom_replay_caution(const struct loom_replay_errors *errors, const char *policy,
                                size_t tried, char *buf, size_t size);
void loom_replay_notes(const struct loom_replay_report *replay, loom_replay_say_fn *say,
                       void *context);

#endif
